#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.hpp"

/// The protocol of the lidars Slamtec RPLIDAR A1, A2 and C1 (docs/drivers.md).
namespace caribou::devices::rplidar {

enum class Request : std::uint8_t {
    stop = 0x25,
    reset = 0x40,
    scan = 0x20,
    info = 0x50,
    health = 0x52,
    express_scan = 0x82,
    motor_pwm = 0xf0,
    board_flags = 0xff,
};

/// Returns a request; one with the highest bit set has a payload and a checksum.
Bytes request(Request what, ByteView payload = {});
/// Returns the request for an express scan of the kind that all devices with it have.
Bytes express_scan();
/// Returns the request for the speed of the motor, from 0 to 1023.
Bytes motor_pwm(std::uint16_t pwm);

enum class Reply : std::uint8_t {
    info = 0x04,
    health = 0x06,
    nodes = 0x81,
    express = 0x82,
    board_flags = 0xff,
};

/// What precedes a reply.
struct Descriptor {
    std::uint32_t size = 0;  ///< bytes of one packet
    bool endless = false;
    std::uint8_t type = 0;

    static constexpr std::size_t wire_size = 7;
};
/// Returns the descriptor with which the bytes begin; none if they begin with something else.
std::optional<Descriptor> descriptor_in(ByteView bytes);

struct Info {
    std::uint8_t model = 0;
    int firmware = 0;  ///< major * 256 + minor
    std::uint8_t hardware = 0;

    int series() const { return model >> 4U; }  ///< 1 to 3: A1 to A3; 4: C1
};
/// `data` has 20 bytes.
Info info_in(ByteView data);

/// One measurement.
struct Point {
    bool begins_turn = false;
    double degrees = 0.0;  ///< clockwise
    double mm = 0.0;       ///< 0: no echo

    friend bool operator==(const Point&, const Point&) = default;
};

/// Reads single measurements of five bytes. They have no checksum: one counts only if the next one looks
/// right, too.
class NodeReader {
public:
    void add(ByteView bytes) { append(bytes_, bytes); }
    std::optional<Point> next();
    std::size_t kept() const { return bytes_.size(); }

private:
    Bytes bytes_;
};

/// Reads capsules of 32 measurements. The angles of one become known with the next one.
class CapsuleReader {
public:
    static constexpr std::size_t size = 84;

    void add(ByteView bytes) { append(bytes_, bytes); }
    /// Returns the points of the next capsule; none if more bytes are needed.
    std::optional<std::array<Point, 32>> next();
    std::size_t kept() const { return bytes_.size(); }

private:
    Bytes bytes_;
    std::optional<Bytes> before_;
    double last_ = 0.0;  ///< degrees, of the last point before its offset
};

}  // namespace caribou::devices::rplidar
