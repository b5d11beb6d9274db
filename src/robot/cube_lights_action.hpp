#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "behavior/action.hpp"
#include "cubes/cube_system.hpp"

namespace caribou::robot {

/// Lights all LEDs of the connected cube in one color for a while.
///
/// | cube                       | the action                            |
/// |----------------------------|---------------------------------------|
/// | none is connected          | fails                                 |
/// | connected until the end    | succeeds after `time`                 |
/// | the connection is lost     | fails                                 |
///
/// The lights are off again when it ends or is cancelled.
class CubeLightsAction final : public behavior::Action {
public:
    struct Options {
        cubes::Color color{};
        Duration time{0};
        Duration blink{0};  ///< time on, and time off; 0: steady
    };
    /// `cubes` must outlive it.
    CubeLightsAction(cubes::CubeSystem& cubes, Options options) : cubes_(cubes), options_(options) {}

    std::string_view name() const override { return "cube_lights"; }
    void start(Instant now) override;
    std::optional<behavior::Outcome> poll(Instant now) override;
    void cancel() override { play_.stop(); }

private:
    cubes::CubeSystem& cubes_;
    Options options_;
    Instant ends_{};
    cubes::LightPlay play_;
};

/// Returns the names of the colors, in order.
std::vector<std::string> cube_color_names();
/// Returns black for an unknown name.
cubes::Color cube_color(std::string_view name);

}  // namespace caribou::robot
