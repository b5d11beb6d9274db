#include "robot/cube_behavior.hpp"

#include <utility>

#include "robot/cube_ear.hpp"

namespace caribou::robot {

CubeBehavior::CubeBehavior(std::string id) : Behavior(std::move(id)), ear_(std::make_unique<Ear>(*this)) {}
CubeBehavior::~CubeBehavior() = default;

void CubeBehavior::subscribe_to_cube(behavior::Scope& scope, cubes::CubeConnectionCoordinator& coordinator,
                                     const cubes::SubscribeOptions& options) {
    subscription_ = coordinator.subscribe(*ear_, options);
    scope.keep([this] { subscription_.reset(); });
}

}  // namespace caribou::robot
