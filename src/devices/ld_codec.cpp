#include "devices/ld_codec.hpp"

#include <algorithm>
#include <cmath>

namespace caribou::devices::ld {
namespace {

constexpr std::array frame_header = {std::byte{0x54}, std::byte{0x2c}};

constexpr std::array<std::uint8_t, 256> crc_table = [] {
    constexpr unsigned polynomial = 0x4d;
    std::array<std::uint8_t, 256> table{};
    for (unsigned i = 0; i < table.size(); ++i) {
        unsigned value = i;
        for (int bit = 0; bit < 8; ++bit)
            value = (value & 0x80U) != 0 ? (value << 1U) ^ polynomial : value << 1U;
        table.at(i) = static_cast<std::uint8_t>(value);
    }
    return table;
}();

Frame frame_from(ByteView bytes) {
    Frame frame{.speed = load_le<std::uint16_t>(&bytes[2]),
                .start = load_le<std::uint16_t>(&bytes[4]),
                .end = load_le<std::uint16_t>(&bytes[42]),
                .stamp = load_le<std::uint16_t>(&bytes[44]),
                .points = {}};
    for (std::size_t i = 0; i < points_per_frame; ++i)
        frame.points.at(i) = {.distance = load_le<std::uint16_t>(&bytes[6 + 3 * i]),
                              .intensity = std::to_integer<std::uint8_t>(bytes[8 + 3 * i])};
    return frame;
}

}  // namespace

double Frame::angle(std::size_t point) const {
    constexpr double steps = points_per_frame - 1;
    return std::fmod(start / 100.0 + span() * static_cast<double>(point) / steps, 360.0);
}

std::uint8_t checksum(ByteView bytes) {
    std::uint8_t sum = 0;
    for (const std::byte each : bytes) sum = crc_table.at(sum ^ std::to_integer<std::uint8_t>(each));
    return sum;
}

std::optional<Frame> FrameReader::next() {
    for (;;) {
        auto begin = std::ranges::search(bytes_, frame_header).begin();
        // The first half of a header may be the last byte.
        if (begin == bytes_.end() && !bytes_.empty() && bytes_.back() == frame_header.front()) --begin;
        bytes_.erase(bytes_.begin(), begin);
        if (bytes_.size() < frame_size) return std::nullopt;
        const ByteView whole = std::span(bytes_).first(frame_size);
        const bool is_good =
            checksum(whole.first(frame_size - 1)) == std::to_integer<std::uint8_t>(whole.back());
        const Frame frame = frame_from(whole);
        bytes_.erase(bytes_.begin(),
                     bytes_.begin() + (is_good ? static_cast<std::ptrdiff_t>(frame_size) : 1));
        if (is_good) return frame;
    }
}

}  // namespace caribou::devices::ld
