#include "behavior/retry.hpp"

#include <utility>

namespace caribou::behavior {

Retry::Retry(std::string id, RetryOptions options) : Dispatcher(std::move(id)), options_(options) {
    declare_repeat();
}

Result<void> Retry::add(Behavior& child) {
    if (size() > 0) return fail(Code::already_exists, id() + " retries " + this->child(0).id() + " already");
    add_child(child);
    return {};
}

void Retry::on_begin(Control& control) {
    attempts_ = 0;
    next_ = control.now();
    ended_ = 0;
    failure_.reset();
}

void Retry::choose(Control& control, const Outcome* ended) {
    if (running()) return;
    if (ended) {
        const bool again = ended->kind() == Outcome::Kind::failed && attempts_ < options_.attempts;
        if (!again) {
            (void)control.finish(*ended);
            return;
        }
        failure_ = *ended;
        next_ = control.now() + options_.pause;
        ended_ = control.tick();
    }
    if (control.now() < next_ || control.tick() == ended_) return;
    const Wants wants = size() > 0 ? ask(control, 0) : Wants(false);
    if (wants.is_later()) return;
    if (wants && start(control, 0))
        ++attempts_;
    else
        (void)control.finish(failure_.value_or(Outcome::failed("its child does not want control")));
}

}  // namespace caribou::behavior
