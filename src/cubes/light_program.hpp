#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubes/cube_message.hpp"
#include "loop/time.hpp"

namespace caribou::cubes {

struct Color {
    std::uint8_t red = 0;
    std::uint8_t green = 0;
    std::uint8_t blue = 0;

    friend bool operator==(const Color&, const Color&) = default;
};
using LedColors = std::array<Color, led_count>;

/// The frame period of a cube's lights: holds and decays count frames.
inline constexpr Duration light_frame = std::chrono::milliseconds(30);
/// The number of keyframes that a cube can store.
inline constexpr std::size_t keyframe_slots = 128;

/// The lights that a cube plays: keyframes, and the first keyframe of each LED.
struct LightProgram {
    std::vector<Keyframe> keyframes;  ///< at most keyframe_slots
    std::array<std::uint8_t, led_count> start{};

    friend bool operator==(const LightProgram&, const LightProgram&) = default;
};

/// Returns the messages that make a cube play the program: first the keyframes, then the sequence that
/// activates them.
std::vector<CubeMessage> to_messages(const LightProgram& program);

/// Returns the colors of the LEDs at a time after the start. A LED whose keyframe does not exist is dark.
LedColors colors_at(const LightProgram& program, Duration since);

}  // namespace caribou::cubes
