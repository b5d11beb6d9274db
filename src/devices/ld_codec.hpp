#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/bytes.hpp"

/// The frames of the lidars LDROBOT LD06 and LD19 (docs/drivers.md).
namespace caribou::devices::ld {

inline constexpr std::size_t frame_size = 47;
inline constexpr std::size_t points_per_frame = 12;
inline constexpr int stamp_period = 30'000;  ///< ms, after which the time stamps begin at 0 again

struct Frame {
    struct Point {
        std::uint16_t distance = 0;  ///< mm; 0: no echo
        std::uint8_t intensity = 0;

        friend bool operator==(const Point&, const Point&) = default;
    };

    std::uint16_t speed = 0;  ///< degrees per second
    std::uint16_t start = 0;  ///< hundredths of a degree, clockwise: of the first point
    std::uint16_t end = 0;    ///< same, of the last one
    std::uint16_t stamp = 0;  ///< ms
    std::array<Point, points_per_frame> points{};

    /// Returns the angle of a point in degrees, from 0 to 360.
    double angle(std::size_t point) const;
    /// Returns the angle from the first to the last point in degrees.
    double span() const { return ((36'000 + end - start) % 36'000) / 100.0; }
};

std::uint8_t checksum(ByteView bytes);

/// Finds frames among noise, by header and checksum.
class FrameReader {
public:
    void add(ByteView bytes) { append(bytes_, bytes); }
    /// Returns the next whole frame; none if more bytes are needed.
    std::optional<Frame> next();
    std::size_t kept() const { return bytes_.size(); }

private:
    Bytes bytes_;
};

}  // namespace caribou::devices::ld
