#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

#include "base/bytes.hpp"
#include "base/result.hpp"

/// The five messages between robot and cube. The format is described in docs/formats/cube-messages.md.
namespace caribou::cubes {

inline constexpr std::size_t led_count = 4;

/// A color that is held and then fades linearly into the color of the keyframe `next`. Times are in frames;
/// with hold = decay = 0 it stays forever.
struct Keyframe {
    std::uint8_t red = 0;
    std::uint8_t green = 0;
    std::uint8_t blue = 0;
    std::uint8_t hold = 0;
    std::uint8_t decay = 0;
    std::uint8_t next = 0;

    friend bool operator==(const Keyframe&, const Keyframe&) = default;
};

/// Makes the cube play its keyframes, starting with the given one for each LED.
struct LightSequence {
    std::uint8_t flags = 0;
    std::array<std::uint8_t, led_count> start{};

    friend bool operator==(const LightSequence&, const LightSequence&) = default;
};

/// Three keyframes for the slots starting at `index`. They take effect with the next LightSequence.
struct LightKeyframes {
    static constexpr std::size_t count = 3;
    std::uint8_t index = 0;
    std::array<Keyframe, count> keyframes{};

    friend bool operator==(const LightKeyframes&, const LightKeyframes&) = default;
};

/// Three samples, 10 ms apart, and the number of taps modulo 256.
struct Acceleration {
    struct Sample {
        std::int16_t x = 0;
        std::int16_t y = 0;
        std::int16_t z = 0;

        friend bool operator==(const Sample&, const Sample&) = default;
    };
    std::uint8_t tap_count = 0;
    std::array<Sample, 3> samples{};

    friend bool operator==(const Acceleration&, const Acceleration&) = default;
};

struct AccelerometerFailure {
    std::uint8_t chip_id = 0;

    friend bool operator==(const AccelerometerFailure&, const AccelerometerFailure&) = default;
};

struct Voltage {
    std::uint16_t counts = 0;

    friend bool operator==(const Voltage&, const Voltage&) = default;
};

using CubeMessage = std::variant<LightSequence, LightKeyframes, Acceleration, AccelerometerFailure, Voltage>;

Bytes encode(const CubeMessage& message);
/// Decodes a message. Returns Code::malformed if the tag is unknown or the size is wrong for it.
Result<CubeMessage> decode(ByteView bytes);

/// Returns a description for traces, such as `voltage 1.50 V`.
std::string describe(const CubeMessage& message);

/// Conversion of raw values; full scale is 4 g.
inline constexpr double standard_gravity = 9.81;  // m/s²
constexpr double to_acceleration(std::int16_t raw) { return raw / 32767.0 * 4 * standard_gravity; }
constexpr double to_volts(Voltage voltage) { return voltage.counts * 3.6 / 1024; }

}  // namespace caribou::cubes
