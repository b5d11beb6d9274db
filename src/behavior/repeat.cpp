#include "behavior/repeat.hpp"

namespace caribou::behavior {

Repeat::Repeat(std::string id, std::size_t times) : Dispatcher(std::move(id)), times_(times) {
    declare_repeat();
}

Result<void> Repeat::add(Behavior& child) {
    if (size() > 0) return fail(Code::already_exists, id() + " repeats " + this->child(0).id() + " already");
    add_child(child);
    return {};
}

void Repeat::on_begin(Control&) { done_ = 0; }

void Repeat::choose(Control& control, const Outcome* ended) {
    if (running()) return;
    if (ended) {
        if (ended->has_succeeded() && ++done_ != times_) return;
        (void)control.finish(*ended);
        return;
    }
    if (size() > 0 && ask(control, 0))
        start(control, 0);
    else
        end_unless_waiting(control);
}

}  // namespace caribou::behavior
