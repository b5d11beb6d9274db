#pragma once

#include <memory>
#include <string>

#include "behavior/behavior.hpp"
#include "cubes/coordinator.hpp"

namespace caribou::robot {

/// A behavior that hears of the cube's connection, be it that its requirement subscribed or that it
/// did so itself. Callbacks come between two ticks: note them, and act in the next update.
class CubeBehavior : public behavior::Behavior {
public:
    explicit CubeBehavior(std::string id);
    ~CubeBehavior() override;

protected:
    virtual void connected_callback(cubes::ConnectionType) {}
    virtual void connection_failed_callback() {}
    virtual void connection_lost_callback() {}

    /// Without a requirement, or beyond it; in place of what its requirement has subscribed. Ends with
    /// the deactivation, or, if it is not active, with the scope.
    void subscribe_to_cube(behavior::Scope& scope, cubes::CubeConnectionCoordinator& coordinator,
                           const cubes::SubscribeOptions& options = {});

private:
    friend class CubeRequirementGate;
    class Ear;

    std::unique_ptr<Ear> ear_;
    cubes::CubeSubscription subscription_;
};

}  // namespace caribou::robot
