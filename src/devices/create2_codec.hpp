#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "base/bytes.hpp"

/// The Open Interface of iRobot Create 2 and Roomba 500 and 600 (docs/drivers.md).
namespace caribou::devices::create2 {

enum class Opcode : std::uint8_t {
    reset = 7,
    start = 128,
    safe = 131,
    full = 132,
    leds = 139,
    query_list = 149,
    drive_direct = 145,
    stream = 148,
    stop = 173,
};

/// What packet 35 reports.
enum class Mode : std::uint8_t { off, passive, safe, full };

/// Packets of sensors, by their number.
namespace packet {
inline constexpr std::uint8_t bumps = 7;
inline constexpr std::uint8_t cliff_left = 9;
inline constexpr std::uint8_t cliff_front_left = 10;
inline constexpr std::uint8_t cliff_front_right = 11;
inline constexpr std::uint8_t cliff_right = 12;
inline constexpr std::uint8_t beam = 17;
inline constexpr std::uint8_t charging_state = 21;
inline constexpr std::uint8_t voltage = 22;
inline constexpr std::uint8_t current = 23;
inline constexpr std::uint8_t charge = 25;
inline constexpr std::uint8_t capacity = 26;
inline constexpr std::uint8_t charging_sources = 34;
inline constexpr std::uint8_t mode = 35;
inline constexpr std::uint8_t encoder_left = 43;
inline constexpr std::uint8_t encoder_right = 44;
inline constexpr std::uint8_t beam_left = 52;
inline constexpr std::uint8_t beam_right = 53;
}  // namespace packet

Bytes command(Opcode opcode);
/// mm/s, from -500 to 500.
Bytes drive_direct(int right, int left);
/// One frame with these packets every 15 ms.
Bytes stream(std::span<const std::uint8_t> packets);
/// The light of the button Clean: 0 is green, 255 red; brightness 0 to 255.
Bytes clean_light(std::uint8_t color, std::uint8_t brightness);

/// Returns the size of a packet's data; 0 if there is no such packet.
std::size_t packet_size(std::uint8_t packet);

/// The values of some packets.
class Values {
public:
    bool has(std::uint8_t packet) const { return packet < has_.size() && has_.at(packet); }
    /// Signed where the packet is. Zero if it is missing.
    int at(std::uint8_t packet) const { return has(packet) ? values_.at(packet) : 0; }
    /// `data` has packet_size(packet) bytes, which is not zero.
    void set(std::uint8_t packet, ByteView data);

private:
    static constexpr std::size_t most = 59;
    std::array<int, most> values_{};
    std::array<bool, most> has_{};
};

/// Reads the data of these packets, one after the other. None if the sizes do not fit.
std::optional<Values> values_in(std::span<const std::uint8_t> packets, ByteView data);

/// Finds the frames of a stream among noise, by header, length and checksum.
class StreamReader {
public:
    static constexpr std::size_t most = 172;  ///< bytes of a frame, for 115,200 baud

    void add(ByteView bytes) { append(bytes_, bytes); }
    /// Returns the next whole frame; none if more bytes are needed.
    std::optional<Values> next();
    /// Returns the number of bytes that wait for more.
    std::size_t kept() const { return bytes_.size(); }

private:
    Bytes bytes_;
};

/// A wheel's encoder, whose 16 bits wrap around in both directions.
class EncoderCount {
public:
    /// Takes a reading. A step of more than `most` counts only gives a new reference: the device has reset
    /// its counter. Returns whether the step was counted.
    bool take(int raw, int most);
    std::int64_t count() const { return count_; }

private:
    std::optional<std::uint16_t> last_;
    std::int64_t count_ = 0;
};

/// What an infrared receiver sees of a dock.
struct DockBeams {
    bool force_field = false;
    bool green = false;  ///< on the left side of a robot that faces the dock
    bool red = false;    ///< on its right side

    friend bool operator==(const DockBeams&, const DockBeams&) = default;
};
DockBeams dock_beams(int character);

}  // namespace caribou::devices::create2
