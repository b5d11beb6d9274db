#include "wire/codec.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

#include <fmt/format.h>

#include "base/check.hpp"

namespace caribou::wire {
namespace {

constexpr std::string_view greeting_text = "ELKS CAN'T DANCE 2/8/10";

constexpr auto greeting_bytes = [] {
    std::array<std::byte, greeting_size> bytes{};
    std::ranges::transform(greeting_text, bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
    return bytes;
}();

constexpr std::size_t fixed_front = 10;  // length, id, message type, data type
constexpr std::size_t length_field = 4;
constexpr std::size_t three_reals = 24;

std::int32_t wire_length(std::size_t size) {
    check(size <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()),
          "what goes on the wire is at most 2 GiB");
    return static_cast<std::int32_t>(size);
}

/// Writes consecutive fields. The caller guarantees enough room.
class Writer {
public:
    explicit Writer(std::byte* at) : at_(at) {}

    template <Scalar T>
    void put(T value) {
        store_le(at_, value);
        at_ += sizeof value;
    }
    void put(ByteView bytes) {
        if (!bytes.empty()) std::memcpy(at_, bytes.data(), bytes.size());
        at_ += bytes.size();
    }
    void put_string(std::string_view text) {
        put(wire_length(text.size()));
        put(bytes_of(text));
    }

private:
    std::byte* at_;
};

/// Reads consecutive fields, and records the position of the first one that does not fit.
class MessageReader {
public:
    MessageReader(ByteView bytes, std::size_t position) : bytes_(bytes), position_(position) {}

    template <Scalar T>
    T number() {
        if (!fits(sizeof(T))) return T{};
        const T value = load_le<T>(bytes_.data() + position_);
        position_ += sizeof(T);
        return value;
    }

    std::string_view string() {
        const auto declared = number<std::int32_t>();
        if (failed_) return {};
        if (declared < 0 || static_cast<std::size_t>(declared) > bytes_.size() - position_) {
            failed_ = true;
            position_ -= length_field;
            return {};
        }
        const auto text = text_of(bytes_.subspan(position_, static_cast<std::size_t>(declared)));
        position_ += text.size();
        return text;
    }

    bool failed() const { return failed_; }
    std::size_t position() const { return position_; }

private:
    bool fits(std::size_t size) {
        if (failed_ || size > bytes_.size() - position_) failed_ = true;
        return !failed_;
    }

    ByteView bytes_;
    std::size_t position_;
    bool failed_ = false;
};

std::byte* grow(Bytes& out, std::size_t size) {
    const std::size_t before = out.size();
    out.resize(before + size);
    return out.data() + before;
}

}  // namespace

ByteView greeting() { return greeting_bytes; }

bool begins_greeting(ByteView bytes) {
    const auto text = text_of(bytes);
    const auto said = text.substr(0, text.find('\0'));
    // Without a NUL more text may follow; with it the text is complete.
    const auto expected = said.size() < text.size() ? greeting_text : greeting_text.substr(0, said.size());
    return std::ranges::equal(said, expected, [](char a, char b) {
        return std::toupper(static_cast<unsigned char>(a)) == std::toupper(static_cast<unsigned char>(b));
    });
}

bool is_greeting(ByteView bytes) { return bytes.size() == greeting_size && begins_greeting(bytes); }

std::size_t encoded_size(const MessageView& m) {
    return min_message_size + m.source.size() + m.aux.size() + m.community.size() + m.key.size() +
           m.payload.size();
}

void append_message(Bytes& out, const MessageView& m) {
    const std::size_t size = encoded_size(m);
    Writer w(grow(out, size));
    w.put(wire_length(size));
    w.put(m.id);
    w.put(static_cast<char>(m.type));
    w.put(static_cast<char>(m.data_type));
    w.put_string(m.source);
    w.put_string(m.aux);
    w.put_string(m.community);
    w.put_string(m.key);
    w.put(m.time);
    w.put(m.value);
    w.put(m.value2);
    w.put_string(m.payload);
}

std::size_t size_with_community(const MessageView& m, std::string_view community) {
    return encoded_size(m) - m.community.size() + community.size();
}

void append_with_community(Bytes& out, ByteView raw, const MessageView& m, std::string_view community) {
    store_with_community(grow(out, size_with_community(m, community)), raw, m, community);
}

void store_with_community(std::byte* to, ByteView raw, const MessageView& m, std::string_view community) {
    const std::size_t front = fixed_front + length_field + m.source.size() + length_field + m.aux.size();
    const std::size_t back = length_field + m.key.size() + three_reals + length_field + m.payload.size();
    Writer w(to);
    w.put(wire_length(front + length_field + community.size() + back));
    w.put(raw.subspan(length_field, front - length_field));
    w.put_string(community);
    w.put(raw.subspan(front + length_field + m.community.size(), back));
}

void store_packet_header(std::byte* to, std::size_t body_size, std::size_t message_count) {
    Writer w(to);
    w.put(wire_length(packet_header_size + body_size));
    w.put(wire_length(message_count));
    w.put('\0');  // not compressed
}

void append_packet_header(Bytes& out, std::size_t body_size, std::size_t message_count) {
    store_packet_header(grow(out, packet_header_size), body_size, message_count);
}

Bytes encode_packet(const MessageView& message) {
    Bytes out;
    append_packet_header(out, encoded_size(message), 1);
    append_message(out, message);
    return out;
}

Bytes encode_packet(std::span<const Message> messages) {
    Bytes out;
    append_packet_header(out, 0, 0);
    for (const Message& message : messages) append_message(out, view(message));
    store_packet_header(out.data(), out.size() - packet_header_size, messages.size());
    return out;
}

Result<MessageView> decode_message(ByteView bytes, std::size_t offset) {
    Result<MessageView> message;
    if (auto decoded = decode_message(bytes, offset, *message); !decoded)
        message = fail(std::move(decoded.error()));
    return message;
}

Result<void> decode_message(ByteView bytes, std::size_t offset, MessageView& m) {
    if (bytes.size() < min_message_size)
        return fail(Code::malformed, fmt::format("message at offset {}: {} bytes, but the least is {}",
                                                 offset, bytes.size(), min_message_size));
    MessageReader r(bytes, length_field);
    m.id = r.number<std::int32_t>();
    m.type = static_cast<MessageType>(r.number<char>());
    m.data_type = static_cast<DataType>(r.number<char>());
    m.source = r.string();
    m.aux = r.string();
    m.community = r.string();
    m.key = r.string();
    m.time = r.number<double>();
    m.value = r.number<double>();
    m.value2 = r.number<double>();
    m.payload = r.string();
    if (r.failed())
        return fail(Code::malformed,
                    fmt::format("message at offset {}: the field at offset {} does not fit into "
                                "the message's {} bytes",
                                offset, offset + r.position(), bytes.size()));
    return {};
}

}  // namespace caribou::wire
