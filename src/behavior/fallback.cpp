#include "behavior/fallback.hpp"

namespace caribou::behavior {

void Fallback::choose(Control& control, const Outcome* ended) {
    if (running()) return;
    if (ended && ended->has_succeeded()) {
        (void)control.finish(*ended);
        return;
    }
    while (next_ < size()) {
        const std::size_t turn = next_;
        const Wants wants = ask(control, turn);
        if (wants.is_later()) return;
        ++next_;
        if (wants && start(control, turn)) return;
    }
    (void)control.finish(last().value_or(Outcome::failed("no child wanted to be activated")));
}

}  // namespace caribou::behavior
