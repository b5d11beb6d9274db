#pragma once

#include <string_view>

#include "cubes/connection_subscriber.hpp"
#include "robot/cube_behavior.hpp"

namespace caribou::robot {

/// Subscribes for a CubeBehavior. Private to robot.
class CubeBehavior::Ear final : public cubes::CubeConnectionSubscriber {
public:
    explicit Ear(CubeBehavior& owner) : owner_(owner) {}
    std::string_view cube_connection_debug_name() const override { return owner_.id(); }
    void connected_callback(cubes::ConnectionType type) override { owner_.connected_callback(type); }
    void connection_failed_callback() override { owner_.connection_failed_callback(); }
    void connection_lost_callback() override { owner_.connection_lost_callback(); }

private:
    CubeBehavior& owner_;
};

}  // namespace caribou::robot
