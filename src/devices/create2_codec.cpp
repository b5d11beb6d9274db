#include "devices/create2_codec.hpp"

#include <algorithm>
#include <numeric>

namespace caribou::devices::create2 {
namespace {

constexpr std::byte stream_header{0x13};
constexpr std::uint8_t first_packet = 7;

/// Of the packets from 7 on.
constexpr std::array<std::uint8_t, 52> sizes = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 1, 2, 2, 1,
                                                2, 2, 2, 2, 2, 2, 2, 1, 2, 1, 1, 1, 1, 1, 2, 2, 2, 2,
                                                2, 2, 1, 2, 2, 2, 2, 2, 2, 1, 1, 2, 2, 2, 2, 1};
constexpr std::array<std::uint8_t, 14> signed_packets = {19, 20, 23, 24, 39, 40, 41,
                                                         42, 43, 44, 54, 55, 56, 57};

std::byte high(int value) { return static_cast<std::byte>((static_cast<unsigned>(value) >> 8U) & 0xffU); }
std::byte low(int value) { return static_cast<std::byte>(static_cast<unsigned>(value) & 0xffU); }

/// Reads the packets of a frame, each with its number.
std::optional<Values> numbered_values(ByteView data) {
    Values values;
    while (!data.empty()) {
        const auto packet = std::to_integer<std::uint8_t>(data.front());
        const std::size_t size = packet_size(packet);
        if (size == 0 || data.size() < 1 + size) return std::nullopt;
        values.set(packet, data.subspan(1, size));
        data = data.subspan(1 + size);
    }
    return values;
}

}  // namespace

Bytes command(Opcode opcode) { return {static_cast<std::byte>(opcode)}; }

Bytes drive_direct(int right, int left) {
    return {static_cast<std::byte>(Opcode::drive_direct), high(right), low(right), high(left), low(left)};
}

Bytes stream(std::span<const std::uint8_t> packets) {
    Bytes bytes = {static_cast<std::byte>(Opcode::stream), static_cast<std::byte>(packets.size())};
    for (const std::uint8_t packet : packets) bytes.push_back(static_cast<std::byte>(packet));
    return bytes;
}

Bytes clean_light(std::uint8_t color, std::uint8_t brightness) {
    return {static_cast<std::byte>(Opcode::leds), std::byte{0}, static_cast<std::byte>(color),
            static_cast<std::byte>(brightness)};
}

std::size_t packet_size(std::uint8_t packet) {
    const std::size_t index = std::size_t{packet} - first_packet;
    return packet >= first_packet && index < sizes.size() ? sizes.at(index) : 0;
}

void Values::set(std::uint8_t packet, ByteView data) {
    int value = std::to_integer<int>(data[0]);
    if (data.size() == 2) value = value * 256 + std::to_integer<int>(data[1]);
    const bool is_signed = std::ranges::find(signed_packets, packet) != signed_packets.end();
    if (is_signed)
        value = data.size() == 2 ? static_cast<std::int16_t>(value) : static_cast<std::int8_t>(value);
    values_.at(packet) = value;
    has_.at(packet) = true;
}

std::optional<Values> values_in(std::span<const std::uint8_t> packets, ByteView data) {
    Values values;
    for (const std::uint8_t packet : packets) {
        const std::size_t size = packet_size(packet);
        if (size == 0 || data.size() < size) return std::nullopt;
        values.set(packet, data.first(size));
        data = data.subspan(size);
    }
    return data.empty() ? std::optional(values) : std::nullopt;
}

std::optional<Values> StreamReader::next() {
    for (;;) {
        bytes_.erase(bytes_.begin(), std::ranges::find(bytes_, stream_header));
        if (bytes_.size() < 2) return std::nullopt;
        const std::size_t size = std::to_integer<std::size_t>(bytes_[1]);
        const std::size_t whole = size + 3;
        if (size > 0 && whole <= most) {
            if (bytes_.size() < whole) return std::nullopt;
            const auto sum = std::accumulate(
                bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(whole), 0U,
                [](unsigned total, std::byte each) { return total + std::to_integer<unsigned>(each); });
            const auto values = numbered_values(std::span(bytes_).subspan(2, size));
            if (sum % 256 == 0 && values) {
                bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(whole));
                return values;
            }
        }
        bytes_.erase(bytes_.begin());  // not a header: 0x13 occurs in data, too
    }
}

bool EncoderCount::take(int raw, int most) {
    const auto now = static_cast<std::uint16_t>(raw);
    const std::uint16_t before = last_.value_or(now);
    last_ = now;
    const int step = static_cast<std::int16_t>(static_cast<std::uint16_t>(now - before));
    if (step > most || step < -most) return false;
    count_ += step;
    return true;
}

DockBeams dock_beams(int character) {
    constexpr int virtual_wall = 162;
    const int base = character & 0xf0;
    if (character == virtual_wall) return {};
    if (base == 0xa0)
        return {
            .force_field = (character & 1) != 0, .green = (character & 4) != 0, .red = (character & 8) != 0};
    if (base == 0xf0)
        return {
            .force_field = (character & 2) != 0, .green = (character & 4) != 0, .red = (character & 8) != 0};
    return {};
}

}  // namespace caribou::devices::create2
