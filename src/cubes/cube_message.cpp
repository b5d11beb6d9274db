#include "cubes/cube_message.hpp"

#include <fmt/format.h>

namespace caribou::cubes {
namespace {

/// The tag of a message is its index in CubeMessage.
constexpr std::array<std::size_t, 5> sizes{6, 20, 20, 2, 4};
constexpr std::array<std::string_view, 5> names{"light sequence", "light keyframes", "acceleration",
                                                "accelerometer failure", "voltage"};
static_assert(std::variant_size_v<CubeMessage> == sizes.size());

void append_fields(Bytes& to, const LightSequence& m) {
    append_le(to, m.flags);
    for (const std::uint8_t index : m.start) append_le(to, index);
}

void append_fields(Bytes& to, const LightKeyframes& m) {
    append_le(to, m.index);
    for (const Keyframe& k : m.keyframes)
        for (const std::uint8_t field : {k.red, k.green, k.blue, k.hold, k.decay, k.next})
            append_le(to, field);
}

void append_fields(Bytes& to, const Acceleration& m) {
    append_le(to, m.tap_count);
    for (const auto& [x, y, z] : m.samples)
        for (const std::int16_t axis : {x, y, z}) append_le(to, axis);
}

void append_fields(Bytes& to, const AccelerometerFailure& m) { append_le(to, m.chip_id); }

void append_fields(Bytes& to, const Voltage& m) {
    append_le(to, std::uint8_t{0});
    append_le(to, m.counts);
}

/// Reads consecutive fields. The caller has checked the size.
class Fields {
public:
    explicit Fields(ByteView bytes) : at_(bytes.data()) {}
    template <Scalar T>
    void operator>>(T& field) {
        field = load_le<T>(at_);
        at_ += sizeof field;
    }

private:
    const std::byte* at_;
};

void read_fields(Fields& from, LightSequence& m) {
    from >> m.flags;
    for (std::uint8_t& index : m.start) from >> index;
}

void read_fields(Fields& from, LightKeyframes& m) {
    from >> m.index;
    for (Keyframe& k : m.keyframes)
        for (std::uint8_t* field : {&k.red, &k.green, &k.blue, &k.hold, &k.decay, &k.next}) from >> *field;
}

void read_fields(Fields& from, Acceleration& m) {
    from >> m.tap_count;
    for (auto& [x, y, z] : m.samples)
        for (std::int16_t* axis : {&x, &y, &z}) from >> *axis;
}

void read_fields(Fields& from, AccelerometerFailure& m) { from >> m.chip_id; }

void read_fields(Fields& from, Voltage& m) {
    std::uint8_t unused = 0;
    from >> unused;
    from >> m.counts;
}

template <class Message>
CubeMessage read(ByteView fields) {
    Message message;
    Fields from(fields);
    read_fields(from, message);
    return message;
}

}  // namespace

Bytes encode(const CubeMessage& message) {
    Bytes bytes;
    bytes.reserve(sizes[message.index()]);
    bytes.push_back(static_cast<std::byte>(message.index()));
    std::visit([&](const auto& m) { append_fields(bytes, m); }, message);
    return bytes;
}

Result<CubeMessage> decode(ByteView bytes) {
    if (bytes.empty()) return fail(Code::malformed, "a message of a cube has a tag, and this one is empty");
    const auto tag = std::to_integer<std::size_t>(bytes.front());
    if (tag >= sizes.size())
        return fail(Code::malformed, fmt::format("tag {} is none of a cube's; they are 0 to 4", tag));
    if (bytes.size() != sizes[tag])
        return fail(Code::malformed,
                    fmt::format("{} has {} bytes, not {}", names[tag], sizes[tag], bytes.size()));
    const ByteView fields = bytes.subspan(1);
    switch (tag) {
        case 0: return read<LightSequence>(fields);
        case 1: return read<LightKeyframes>(fields);
        case 2: return read<Acceleration>(fields);
        case 3: return read<AccelerometerFailure>(fields);
        default: return read<Voltage>(fields);
    }
}

std::string describe(const CubeMessage& message) {
    struct Describe {
        std::string operator()(const LightSequence& m) const {
            return fmt::format("light sequence from {}, {}, {}, {}", m.start[0], m.start[1], m.start[2],
                               m.start[3]);
        }
        std::string operator()(const LightKeyframes& m) const {
            return fmt::format("light keyframes {} to {}", m.index, m.index + LightKeyframes::count - 1);
        }
        std::string operator()(const Acceleration& m) const {
            const auto& [x, y, z] = m.samples.back();
            return fmt::format("acceleration {:.1f}, {:.1f}, {:.1f} m/s2, {} taps", to_acceleration(x),
                               to_acceleration(y), to_acceleration(z), m.tap_count);
        }
        std::string operator()(const AccelerometerFailure& m) const {
            return fmt::format("accelerometer failure, chip {:#04x}", m.chip_id);
        }
        std::string operator()(const Voltage& m) const {
            return fmt::format("voltage {:.2f} V", to_volts(m));
        }
    };
    return std::visit(Describe{}, message);
}

}  // namespace caribou::cubes
