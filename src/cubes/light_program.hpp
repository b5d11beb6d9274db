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

/// The clock of a cube's lights: holds and decays count these.
inline constexpr Duration light_frame = std::chrono::milliseconds(30);
/// A cube keeps that many keyframes.
inline constexpr std::size_t keyframe_slots = 128;

/// What a cube plays: keyframes, and where each LED begins.
struct LightProgram {
    std::vector<Keyframe> keyframes;  ///< at most keyframe_slots
    std::array<std::uint8_t, led_count> start{};

    friend bool operator==(const LightProgram&, const LightProgram&) = default;
};

/// The messages that make a cube play it: the keyframes first, then the sequence that swaps them in.
std::vector<CubeMessage> to_messages(const LightProgram& program);

/// What the LEDs show at that time after its begin. A LED whose keyframe is not there is dark.
LedColors colors_at(const LightProgram& program, Duration since);

}  // namespace caribou::cubes
