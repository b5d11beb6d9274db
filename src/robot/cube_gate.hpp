#pragma once

#include <map>
#include <memory>

#include "behavior/requirement_gate.hpp"
#include "cubes/coordinator.hpp"
#include "robot/cube_requirement.hpp"

namespace caribou::robot {

/// Enforces the cube requirements of behaviors (robot/cube_requirement.hpp), and subscribes for them while
/// they are active.
class CubeRequirementGate final : public behavior::RequirementGate {
public:
    /// The coordinator must outlive this object.
    explicit CubeRequirementGate(cubes::CubeConnectionCoordinator& coordinator);
    ~CubeRequirementGate() override;

    behavior::Wants may_want(const behavior::Behavior& behavior,
                             std::span<behavior::Behavior* const> stack) override;
    behavior::Wants may_activate(const behavior::Behavior& behavior,
                                 std::span<behavior::Behavior* const> stack) override;
    void on_deactivated(const behavior::Behavior& behavior) override;

private:
    /// Subscribes for a behavior that is not a CubeBehavior.
    class Proxy;
    struct Held {
        std::unique_ptr<Proxy> proxy;
        cubes::CubeSubscription subscription;
    };

    void subscribe(const behavior::Behavior& behavior, cubes::ConnectionType type);

    cubes::CubeConnectionCoordinator& coordinator_;
    std::map<const behavior::Behavior*, Held> held_;
};

}  // namespace caribou::robot
