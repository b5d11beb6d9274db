#pragma once

#include <memory>
#include <string>

#include "behavior/behavior.hpp"
#include "cubes/coordinator.hpp"

namespace caribou::robot {

/// A behavior that is notified of the cube's connection, whether its requirement subscribed or the behavior
/// itself. Callbacks are made between two ticks: record them, and react in the next update.
class CubeBehavior : public behavior::Behavior {
public:
    explicit CubeBehavior(std::string id);
    ~CubeBehavior() override;

protected:
    virtual void connected_callback(cubes::ConnectionType) {}
    virtual void connection_failed_callback() {}
    virtual void connection_lost_callback() {}

    /// Subscribes without a requirement, or in place of the subscription of its requirement. Ends with the
    /// deactivation, or, if it is not active, with the scope.
    void subscribe_to_cube(behavior::Scope& scope, cubes::CubeConnectionCoordinator& coordinator,
                           const cubes::SubscribeOptions& options = {});

private:
    friend class CubeRequirementGate;
    class Ear;

    std::unique_ptr<Ear> ear_;
    cubes::CubeSubscription subscription_;
};

}  // namespace caribou::robot
