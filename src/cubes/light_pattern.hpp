#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "cubes/light_program.hpp"

namespace caribou::cubes {

/// The blink pattern of one LED: on for a time, a transition, off for a time, a transition, and repeat.
struct LedPattern {
    Color on_color{};
    Color off_color{};
    Duration on_time{0};
    Duration off_time{0};
    Duration transition_on{0};   ///< from off to on
    Duration transition_off{0};  ///< from on to off
    Duration offset{0};          ///< delay in the off color before the first round
    bool play_once = false;      ///< one round, then off forever

    friend bool operator==(const LedPattern&, const LedPattern&) = default;
};

/// The order in which the LEDs take turns, a quarter of a round apart.
enum class Rotation : std::uint8_t { none, clockwise, counterclockwise };

/// The pattern of all four LEDs. The file format is described in docs/formats/cube-lights.md. All times are
/// rounded to frames of 30 ms.
struct LightPattern {
    std::array<LedPattern, led_count> leds{};
    Rotation rotation = Rotation::none;
    std::optional<Duration> duration{};  ///< nullopt: until it is stopped

    friend bool operator==(const LightPattern&, const LightPattern&) = default;
};

/// Maximum length of a transition: a keyframe counts at most 255 frames.
inline constexpr Duration max_transition = 255 * light_frame;
/// Maximum of on_time, off_time and offset.
inline constexpr Duration max_light_time = std::chrono::hours(1);

/// Compiles a pattern into keyframes. Returns Code::limit_exceeded if it needs more keyframes than a cube
/// has, or if a time is too long.
Result<LightProgram> compile(const LightPattern& pattern);

/// Returns a pattern with the same color on all LEDs, forever.
LightPattern steady(Color color);

// Patterns that are shown automatically.
const LightPattern& connection_light_pattern();  ///< 5 s
const LightPattern& disconnect_light_pattern();  ///< 5 s
const LightPattern& localized_light_pattern();
const LightPattern& not_localized_light_pattern();

}  // namespace caribou::cubes
