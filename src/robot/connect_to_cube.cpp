#include "robot/connect_to_cube.hpp"

#include <utility>

#include "robot/cube_requirement.hpp"

namespace caribou::robot {

using behavior::Control;
using behavior::Outcome;

ConnectToCube::ConnectToCube(std::string id, std::unique_ptr<behavior::Action> get_in)
    : CubeBehavior(std::move(id)), get_in_(std::move(get_in)) {
    std::ignore = declare(with_cube({CubeRequirement::optional_active},
                                    {.ensures = {std::string(ensures_cube_connection_at_delegation)}}));
}

void ConnectToCube::get_all_delegates(behavior::DelegateSet& delegates) const {
    if (child_) delegates.insert(*child_);
}

void ConnectToCube::on_activated(Control& control) {
    news_ = News::none;
    if (get_in_) std::ignore = control.delegate(*get_in_);
}

void ConnectToCube::update(Control& control) {
    if (!control.is_active()) return;
    if (news_ == News::failed) std::ignore = control.finish(Outcome::failed("no cube could be connected"));
    if (news_ == News::lost)
        std::ignore = control.finish(Outcome::failed("the connection to the cube was lost"));
    if (news_ == News::connected && control.can_delegate()) begin_child(control);
}

void ConnectToCube::begin_child(Control& control) {
    const behavior::Wants wants = child_ ? control.wants(*child_) : behavior::Wants::no("it has no child");
    const auto end = [](Control& self, const Outcome& outcome) { std::ignore = self.finish(outcome); };
    if (wants && control.delegate(*child_, end)) return;
    std::ignore = control.finish(
        Outcome::failed(wants.why_not().empty() ? "its child does not want" : std::string(wants.why_not())));
}

}  // namespace caribou::robot
