#include "negotiation/session_message.hpp"

#include <chrono>

#include <fmt/format.h>

#include "base/fields.hpp"

namespace caribou::negotiation {
namespace {

class Encoder {
public:
    explicit Encoder(Bytes& to) : to_(to) {}

    void operator()(const ReaderUp& up) const {
        append_le(to_, up.reader);
        append_le(to_, static_cast<std::uint8_t>(up.qos.reliability));
        append_le(to_, static_cast<std::uint8_t>(up.qos.durability));
        append_le(to_, static_cast<std::uint32_t>(up.qos.depth));
        append_sized(to_, up.topic.name);
        append_sized(to_, up.topic.type);
    }
    void operator()(const ReaderDown& down) const { append_le(to_, down.reader); }
    void operator()(const WriterUp& up) const {
        append_le(to_, up.reader);
        append_le(to_, up.writer);
        append_sized(to_, up.name);
    }
    void operator()(const WriterDown& down) const {
        append_le(to_, down.reader);
        append_le(to_, down.writer);
    }
    void operator()(const Written& written) const {
        append_le(to_, written.reader);
        append_le(to_, written.writer);
        append_le(to_, written.stamp);
        append(to_, written.sample);
    }

private:
    Bytes& to_;
};

/// Reads microseconds; fails if WallTime cannot represent them.
std::int64_t read_stamp(FieldReader& from) {
    constexpr auto last = std::chrono::floor<std::chrono::microseconds>(WallTime::max()).time_since_epoch();
    const auto stamp = from.number<std::int64_t>();
    if (stamp > last.count() || stamp < -last.count()) from.fail();
    return stamp;
}

SessionMessage read(std::uint8_t kind, FieldReader& from) {
    const auto reader = from.number<ReaderNumber>();
    switch (kind) {
        case 0: {
            ReaderUp up{.reader = reader};
            up.qos.reliability = from.up_to(Reliability::reliable);
            up.qos.durability = from.up_to(Durability::transient_local);
            up.qos.depth = from.number<std::uint32_t>();
            up.topic.name = from.text();
            up.topic.type = from.text();
            return up;
        }
        case 1: return ReaderDown{reader};
        case 2: return WriterUp{reader, from.number<WriterNumber>(), from.text()};
        case 3: return WriterDown{reader, from.number<WriterNumber>()};
        default: return Written{reader, from.number<WriterNumber>(), read_stamp(from), from.rest()};
    }
}

}  // namespace

Bytes encode(const SessionMessage& message) {
    Bytes bytes;
    append_le(bytes, static_cast<std::uint8_t>(message.index()));
    std::visit(Encoder(bytes), message);
    return bytes;
}

Result<SessionMessage> decode_session_message(ByteView bytes) {
    FieldReader from(bytes);
    const auto kind = from.number<std::uint8_t>();
    if (kind >= std::variant_size_v<SessionMessage>)
        return fail(Code::malformed, fmt::format("a message about topics cannot be of kind {}", kind));
    SessionMessage message = read(kind, from);
    if (!from.complete())
        return fail(Code::malformed,
                    fmt::format("a message about topics of kind {} cannot have {} bytes, or is malformed",
                                kind, bytes.size()));
    return message;
}

}  // namespace caribou::negotiation
