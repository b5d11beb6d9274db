#include "devices/rplidar_codec.hpp"

#include <algorithm>
#include <cmath>

namespace caribou::devices::rplidar {
namespace {

constexpr std::byte request_header{0xa5};
constexpr std::byte reply_header{0x5a};
constexpr std::size_t node_size = 5;
constexpr unsigned whole_turn = 360 * 64;  ///< of a capsule's angle

std::uint8_t parity(ByteView bytes) {
    std::byte all{0};
    for (const std::byte each : bytes) all ^= each;
    return std::to_integer<std::uint8_t>(all);
}

unsigned number(std::byte byte) { return std::to_integer<unsigned>(byte); }

double node_degrees(ByteView node) { return ((number(node[2]) << 7U) | (number(node[1]) >> 1U)) / 64.0; }

bool looks_like_a_node(ByteView node) {
    const unsigned first = number(node[0]) & 3U;
    return (first == 1 || first == 2) && (number(node[1]) & 1U) == 1 && node_degrees(node) < 360.0;
}

bool looks_like_a_capsule(ByteView capsule) {
    const unsigned sum = (number(capsule[0]) & 15U) | ((number(capsule[1]) & 15U) << 4U);
    return (number(capsule[0]) >> 4U) == 0xa && (number(capsule[1]) >> 4U) == 5 &&
           parity(capsule.subspan(2)) == sum;
}

unsigned start_of(ByteView capsule) { return load_le<std::uint16_t>(&capsule[2]) & 0x7fffU; }
bool is_first(ByteView capsule) { return (number(capsule[3]) & 0x80U) != 0; }

/// The part of a capsule for one point.
struct Cell {
    double mm;
    double offset;  ///< degrees
};
Cell cell_of(ByteView capsule, std::size_t point) {
    const std::byte* const cabin = &capsule[4 + 5 * (point / 2)];
    const bool is_odd = point % 2 == 1;
    const unsigned word = load_le<std::uint16_t>(cabin + (is_odd ? 2 : 0));
    const unsigned low = is_odd ? number(cabin[4]) >> 4U : number(cabin[4]) & 15U;
    return {.mm = static_cast<double>(word >> 2U), .offset = (((word & 3U) << 4U) | low) / 8.0};
}

double positive(double degrees) { return std::fmod(degrees + 720.0, 360.0); }

}  // namespace

Bytes request(Request what, ByteView payload) {
    Bytes bytes = {request_header, static_cast<std::byte>(what)};
    if ((static_cast<unsigned>(what) & 0x80U) == 0) return bytes;
    bytes.push_back(static_cast<std::byte>(payload.size()));
    append(bytes, payload);
    bytes.push_back(static_cast<std::byte>(parity(bytes)));
    return bytes;
}

Bytes express_scan() { return request(Request::express_scan, Bytes(5)); }

Bytes motor_pwm(std::uint16_t pwm) {
    Bytes payload;
    append_le(payload, pwm);
    return request(Request::motor_pwm, payload);
}

std::optional<Descriptor> descriptor_in(ByteView bytes) {
    if (bytes.size() < Descriptor::wire_size || bytes[0] != request_header || bytes[1] != reply_header)
        return std::nullopt;
    const auto word = load_le<std::uint32_t>(&bytes[2]);
    return Descriptor{.size = word & 0x3fffffffU,
                      .endless = word >> 30U == 1,
                      .type = std::to_integer<std::uint8_t>(bytes[6])};
}

Info info_in(ByteView data) {
    return {.model = std::to_integer<std::uint8_t>(data[0]),
            .firmware = std::to_integer<int>(data[2]) * 256 + std::to_integer<int>(data[1]),
            .hardware = std::to_integer<std::uint8_t>(data[3])};
}

std::optional<Point> NodeReader::next() {
    while (bytes_.size() >= 2 * node_size) {
        const ByteView both = std::span(bytes_).first(2 * node_size);
        const ByteView node = both.first(node_size);
        const bool is_good = looks_like_a_node(node) && looks_like_a_node(both.subspan(node_size));
        const Point point{.begins_turn = (number(node[0]) & 1U) == 1,
                          .degrees = node_degrees(node),
                          .mm = load_le<std::uint16_t>(&node[3]) / 4.0};
        bytes_.erase(bytes_.begin(), bytes_.begin() + (is_good ? static_cast<std::ptrdiff_t>(node_size) : 1));
        if (is_good) return point;
    }
    return std::nullopt;
}

std::optional<std::array<Point, 32>> CapsuleReader::next() {
    while (bytes_.size() >= size) {
        Bytes capsule(bytes_.begin(), bytes_.begin() + size);
        if (!looks_like_a_capsule(capsule)) {
            // Its angles would be unknown.
            before_.reset();
            bytes_.erase(bytes_.begin());
            continue;
        }
        bytes_.erase(bytes_.begin(), bytes_.begin() + size);
        const auto before = std::exchange(before_, std::move(capsule));
        if (!before || is_first(*before_)) continue;
        const unsigned start = start_of(*before);
        const unsigned span = (start_of(*before_) + whole_turn - start % whole_turn) % whole_turn;
        std::array<Point, 32> points{};
        for (std::size_t i = 0; i < points.size(); ++i) {
            const double raw = positive((start + span * static_cast<double>(i) / points.size()) / 64.0);
            const Cell cell = cell_of(*before, i);
            points.at(i) = {
                .begins_turn = raw < last_, .degrees = positive(raw - cell.offset), .mm = cell.mm};
            last_ = raw;
        }
        return points;
    }
    return std::nullopt;
}

}  // namespace caribou::devices::rplidar
