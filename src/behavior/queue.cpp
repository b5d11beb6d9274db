#include "behavior/queue.hpp"

namespace caribou::behavior {

void Queue::on_begin(Control&) {
    next_ = 0;
    one_ran_ = false;
}

void Queue::choose(Control& control, const Outcome* ended) {
    if (running()) return;
    if (ended && ended->kind() == Outcome::Kind::failed && when_failed_ == WhenFailed::end) {
        (void)control.finish(*ended);
        return;
    }
    while (next_ < size()) {
        const std::size_t turn = next_;
        const Wants wants = ask(control, turn);
        if (wants.is_later()) return;
        ++next_;
        if (wants && start(control, turn)) {
            one_ran_ = true;
            return;
        }
    }
    (void)control.finish(one_ran_ ? Outcome::succeeded()
                                  : Outcome::failed("no child wanted to be activated"));
}

}  // namespace caribou::behavior
