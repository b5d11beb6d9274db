#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "cubes/light_program.hpp"

namespace caribou::cubes {

/// How one LED blinks: on for a time, a transition, off for a time, a transition, and again.
struct LedPattern {
    Color on_color{};
    Color off_color{};
    Duration on_time{0};
    Duration off_time{0};
    Duration transition_on{0};   ///< from off to on
    Duration transition_off{0};  ///< from on to off
    Duration offset{0};          ///< dark before the first time
    bool play_once = false;      ///< once on, then off for good

    friend bool operator==(const LedPattern&, const LedPattern&) = default;
};

/// In which order the LEDs have their turn, a quarter of a round apart.
enum class Rotation : std::uint8_t { none, clockwise, counterclockwise };

/// What four LEDs do; docs/formats/cube-lights.md describes the files. All times count in frames of
/// 30 ms, to which they are rounded.
struct LightPattern {
    std::array<LedPattern, led_count> leds{};
    Rotation rotation = Rotation::none;
    std::optional<Duration> duration{};  ///< none: until it is stopped

    friend bool operator==(const LightPattern&, const LightPattern&) = default;
};

/// A transition cannot take longer: a keyframe counts 255 frames.
inline constexpr Duration max_transition = 255 * light_frame;
/// Of on_time, off_time and offset.
inline constexpr Duration max_light_time = std::chrono::hours(1);

/// limit_exceeded: it needs more keyframes than a cube has, or a time is too long.
Result<LightProgram> compile(const LightPattern& pattern);

/// The same colour on all LEDs, for good.
LightPattern steady(Color color);

// The lights that show by themselves.
const LightPattern& connection_light_pattern();  ///< 5 s
const LightPattern& disconnect_light_pattern();  ///< 5 s
const LightPattern& localized_light_pattern();
const LightPattern& not_localized_light_pattern();

}  // namespace caribou::cubes
