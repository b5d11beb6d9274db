#include "behavior/pass_through.hpp"

namespace caribou::behavior {

Result<void> PassThrough::add(Behavior& child) {
    if (size() > 0)
        return fail(Code::already_exists, id() + " passes through to " + this->child(0).id() + " already");
    add_child(child);
    return {};
}

void PassThrough::choose(Control& control, const Outcome* ended) {
    if (running()) return;
    if (ended) {
        (void)control.finish(result_of(*ended));
        return;
    }
    const Wants wants = size() > 0 ? ask(control, 0) : Wants::no("it has no child");
    if (wants.is_later()) return;
    if (!wants || !start(control, 0))
        (void)control.finish(result_of(Outcome::failed(
            wants.why_not().empty() ? "its child does not want" : std::string(wants.why_not()))));
}

}  // namespace caribou::behavior
