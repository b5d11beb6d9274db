#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "behavior/runner.hpp"
#include "cubes/cube_sensing.hpp"
#include "cubes/lights.hpp"
#include "robot/cube_behavior.hpp"

namespace caribou::robot {

/// The topic of cube events; an event's value is its name: `tapped`.
inline constexpr std::string_view cube_topic = "cube";
/// Passes a sensed event to the next tick of the behaviors.
void post_cube_event(behavior::BehaviorRunner& runner, const cubes::CubeEvent& event);

/// Rules of the game.
struct SpinnerOptions {
    std::size_t hits = 3;    ///< to win
    std::size_t misses = 3;  ///< to lose
    Duration time_limit = std::chrono::seconds(60);
};

/// A game: a light runs around the cube, and must be caught by a tap while it is on the first LED. Requires a
/// connection that an ancestor ensures (required_managed).
class CubeSpinner final : public CubeBehavior {
public:
    /// The lights must outlive this object.
    CubeSpinner(std::string id, cubes::CubeLightComponent& lights, SpinnerOptions options = {});

    std::size_t hits() const { return hits_; }
    std::size_t misses() const { return misses_; }

protected:
    void init(const behavior::View& view) override;
    void on_activated(behavior::Control& control) override;
    void update(behavior::Control& control) override;
    void on_deactivated(const behavior::View&) override { play_.stop(); }

private:
    void take_tap(behavior::Control& control);

    cubes::CubeLightComponent& lights_;
    SpinnerOptions options_;
    std::size_t hits_ = 0;
    std::size_t misses_ = 0;
    cubes::LightPlay play_;
};

}  // namespace caribou::robot
