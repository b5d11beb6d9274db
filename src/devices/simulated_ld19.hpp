#pragma once

#include <cmath>
#include <cstdint>
#include <functional>

#include "base/bytes.hpp"
#include "devices/ld_codec.hpp"
#include "loop/time.hpp"

namespace caribou::devices {

/// An LD19 at ten turns per second, for tests.
class SimulatedLd19 {
public:
    /// Returns the millimeters in a direction, in degrees clockwise; 0: no echo.
    using Look = std::function<double(double degrees)>;

    explicit SimulatedLd19(Look look) : look_(std::move(look)) {}

    /// Time passes. Returns what it sends.
    Bytes advance(Duration step) {
        Bytes sent;
        for (due_ += to_seconds(step) * frames_per_second; due_ >= 1.0; due_ -= 1.0) append(sent, frame());
        return sent;
    }

private:
    static constexpr double frames_per_second = 375;
    static constexpr double degrees_per_point = 0.8;

    Bytes frame() {
        Bytes bytes = {std::byte{0x54}, std::byte{0x2c}};
        append_le<std::uint16_t>(bytes, 3600);
        append_le<std::uint16_t>(bytes, hundredths(angle_));
        for (std::size_t i = 0; i < ld::points_per_frame; ++i) {
            const double distance =
                look_(std::fmod(angle_ + degrees_per_point * static_cast<double>(i), 360.0));
            append_le<std::uint16_t>(bytes, static_cast<std::uint16_t>(std::lround(distance)));
            bytes.push_back(distance > 0 ? std::byte{200} : std::byte{0});
        }
        append_le<std::uint16_t>(bytes, hundredths(angle_ + degrees_per_point * 11));
        stamp_ += 1000.0 / frames_per_second;
        append_le<std::uint16_t>(
            bytes, static_cast<std::uint16_t>(std::lround(std::floor(stamp_))) % ld::stamp_period);
        bytes.push_back(static_cast<std::byte>(ld::checksum(bytes)));
        angle_ = std::fmod(angle_ + degrees_per_point * 12, 360.0);
        stamp_ = std::fmod(stamp_, ld::stamp_period);
        return bytes;
    }
    static std::uint16_t hundredths(double degrees) {
        return static_cast<std::uint16_t>(std::lround(std::fmod(degrees, 360.0) * 100)) % 36'000;
    }

    Look look_;
    double due_ = 0;
    double angle_ = 0;
    double stamp_ = 29'000;
};

}  // namespace caribou::devices
