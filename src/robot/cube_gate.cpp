#include "robot/cube_gate.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "robot/cube_ear.hpp"

namespace caribou::robot {
namespace {

using behavior::Behavior;
using behavior::Wants;

bool ensures_cube(const Behavior* active) {
    const auto& ensured = active->modifiers().ensures;
    return std::ranges::find(ensured, ensures_cube_connection_at_delegation) != ensured.end();
}

}  // namespace

class CubeRequirementGate::Proxy final : public cubes::CubeConnectionSubscriber {
public:
    explicit Proxy(std::string name) : name_(std::move(name)) {}
    std::string_view cube_connection_debug_name() const override { return name_; }
    void connection_lost_callback() override {}

private:
    std::string name_;
};

CubeRequirementGate::CubeRequirementGate(cubes::CubeConnectionCoordinator& coordinator)
    : coordinator_(coordinator) {}
CubeRequirementGate::~CubeRequirementGate() = default;

Wants CubeRequirementGate::may_want(const Behavior& behavior, std::span<Behavior* const> stack) {
    switch (cube_need(behavior.modifiers().requirement).value_or(CubeNeed{}).requirement) {
        case CubeRequirement::required_managed:
            if (!std::ranges::any_of(stack, ensures_cube))
                return Wants::no("no active ancestor ensures a cube connection at delegation");
            [[fallthrough]];
        case CubeRequirement::required_lazy:
            return coordinator_.connection() ? Wants::yes() : Wants::no("no cube is connected");
        default: return true;
    }
}

Wants CubeRequirementGate::may_activate(const Behavior& behavior, std::span<Behavior* const> stack) {
    const CubeNeed need = cube_need(behavior.modifiers().requirement).value_or(CubeNeed{});
    if (const Wants wants = may_want(behavior, stack); !wants) return wants;
    const bool is_lazy = need.requirement == CubeRequirement::optional_lazy;
    if (need.requirement != CubeRequirement::none && (!is_lazy || coordinator_.connection()))
        subscribe(behavior, need.type());
    return true;
}

void CubeRequirementGate::subscribe(const Behavior& behavior, cubes::ConnectionType type) {
    Held held;
    cubes::CubeConnectionSubscriber* subscriber = nullptr;
    if (const auto* hears = dynamic_cast<const CubeBehavior*>(&behavior)) {
        subscriber = hears->ear_.get();
    } else {
        held.proxy = std::make_unique<Proxy>(behavior.id());
        subscriber = held.proxy.get();
    }
    held.subscription = coordinator_.subscribe(*subscriber, {type});
    held_.insert_or_assign(&behavior, std::move(held));
}

void CubeRequirementGate::on_deactivated(const Behavior& behavior) { held_.erase(&behavior); }

}  // namespace caribou::robot
