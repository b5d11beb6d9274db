#include "link/message.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/check.hpp"
#include "base/fields.hpp"

namespace caribou::link {
namespace {

constexpr std::string_view datagram_mark = "CBOT";
constexpr std::uint8_t no_refusal = 0xff;

std::string_view cut(std::string_view text, std::size_t most) { return text.substr(0, most); }

void append_fields(Bytes& to, const Auth& m) {
    append_sized(to, cut(m.name, LinkLimits::name));
    append_le(to, static_cast<std::uint8_t>(m.role));
    append_sized(to, cut(m.send_to, LinkLimits::address));
}

void append_fields(Bytes& to, const Welcome& m) {
    append_sized(to, cut(m.robot, LinkLimits::name));
    append_le(to, static_cast<std::uint8_t>(m.role));
    append_le(to, m.session);
}

void append_fields(Bytes& to, const Goodbye& m) { append_sized(to, cut(m.why, LinkLimits::text)); }

void append_fields(Bytes& to, const Command& m) {
    append_le(to, m.id.value);
    append_le(to, static_cast<std::uint16_t>(m.code));
    // Commands from outside have passed objection_to(), so nothing is truncated here.
    check(m.arguments.size() <= CommandLimits::arguments, "a command has no more arguments than it may");
    append_le(to, static_cast<std::uint8_t>(m.arguments.size()));
    for (const auto& [name, value] : m.arguments) {
        check(name.size() <= CommandLimits::name && value.size() <= CommandLimits::value,
              "an argument is within its limits");
        append_sized(to, name);
        append_sized(to, value);
    }
}

void append_fields(Bytes& to, const Answer& m) {
    append_le(to, m.id.value);
    append_le(to, static_cast<std::uint8_t>(m.kind));
    append_le(to, m.refusal ? static_cast<std::uint8_t>(*m.refusal) : no_refusal);
    append_sized(to, cut(m.text, LinkLimits::text));
}

void append_fields(Bytes& to, const Heartbeat& m) {
    append_le(to, m.number);
    append_le(to, m.sent);
    append_le(to, m.heard);
}

void append_fields(Bytes& to, const TopicPiece& m) {
    append_le(to, static_cast<std::uint8_t>(m.last));
    append_sized(to, text_of(m.bytes));
}

void append_fields(Bytes& to, const Telemetry& m) { append_telemetry(to, m); }

void append_fields(Bytes& to, const ConnectToMe& m) {
    append_sized(to, cut(m.robot, LinkLimits::name));
    append_le(to, m.receive_port);
}

void append_fields(Bytes& to, const ErrorReport& m) { append_sized(to, cut(m.text, LinkLimits::error)); }

void append_fields(Bytes& to, const StopNow& m) { append_le(to, m.id.value); }

LinkMessage read_auth(FieldReader& from) {
    Auth m{.name = from.text(LinkLimits::name), .role = from.up_to(Role::admin)};
    m.send_to = from.text(LinkLimits::address);
    return m;
}

LinkMessage read_welcome(FieldReader& from) {
    Welcome m{.robot = from.text(LinkLimits::name), .role = from.up_to(Role::admin)};
    m.session = from.number<std::uint64_t>();
    return m;
}

LinkMessage read_goodbye(FieldReader& from) { return Goodbye{from.text(LinkLimits::text)}; }

LinkMessage read_command(FieldReader& from) {
    Command m{.id = {from.number<std::uint64_t>()}};
    m.code = static_cast<CommandCode>(from.number<std::uint16_t>());
    m.arguments.resize(from.up_to(CommandLimits::arguments));
    for (auto& [name, value] : m.arguments) {
        name = from.text(CommandLimits::name);
        value = from.text(CommandLimits::value);
    }
    return m;
}

Answer read_answer_up_to(std::size_t most_text, FieldReader& from) {
    Answer m{.id = {from.number<std::uint64_t>()}, .kind = from.up_to(Answer::Kind::refused)};
    const auto refusal = from.number<std::uint8_t>();
    if (refusal != no_refusal) m.refusal = static_cast<Refusal>(refusal);
    if (m.refusal > Refusal::failed) from.fail();
    if (m.refusal.has_value() != (m.kind == Answer::Kind::refused)) from.fail();
    m.text = from.text(most_text);
    return m;
}

LinkMessage read_answer(FieldReader& from) { return read_answer_up_to(LinkLimits::text, from); }

LinkMessage read_heartbeat(FieldReader& from) {
    Heartbeat m{.number = from.number<std::uint64_t>()};
    m.sent = from.number<double>();
    m.heard = from.number<double>();
    return m;
}

LinkMessage read_topic_piece(FieldReader& from) {
    TopicPiece m{.last = from.flag()};
    append(m.bytes, from.sized(LinkLimits::piece));
    return m;
}

/// Indexed by the kind of a message, which is its index in LinkMessage.
constexpr LinkMessage (*readers[])(FieldReader&) = {
    read_auth, read_welcome, read_goodbye, read_command, read_answer, read_heartbeat, read_topic_piece};
static_assert(std::size(readers) == std::variant_size_v<LinkMessage>);

Result<void> check_version(std::uint8_t version) {
    if (version == link_version) return {};
    return fail(Code::malformed,
                fmt::format("expected version {1} of the link, found version {0}", version, link_version));
}

Result<DatagramMessage> read_packet(std::size_t kind, ByteView body) {
    FieldReader from(body);
    if (kind == 0) {
        auto telemetry = decode_telemetry(body);
        if (!telemetry) return fail(std::move(telemetry.error()));
        return std::move(*telemetry);
    }
    DatagramMessage message;
    if (kind == 1) {
        ConnectToMe m{.robot = from.text(LinkLimits::name)};
        m.receive_port = from.number<std::uint16_t>();
        message = std::move(m);
    } else if (kind == 2) {
        message = ErrorReport{from.text(LinkLimits::error)};
    } else if (kind == 3) {
        message = StopNow{{from.number<std::uint64_t>()}};
    } else if (kind == 4) {
        message = read_answer_up_to(LinkLimits::error, from);
    } else {
        return fail(Code::malformed, fmt::format("there is no datagram of kind {}", kind));
    }
    if (!from.complete()) return fail(Code::malformed, "the fields of a datagram do not fit its kind");
    return message;
}

}  // namespace

Bytes frame_of(const LinkMessage& message) {
    Bytes frame;
    append_le(frame, std::uint32_t{0});
    append_le(frame, link_version);
    append_le(frame, static_cast<std::uint8_t>(message.index()));
    std::visit([&](const auto& m) { append_fields(frame, m); }, message);
    store_le(frame.data(), static_cast<std::uint32_t>(frame.size() - sizeof(std::uint32_t)));
    check(frame.size() - sizeof(std::uint32_t) <= LinkLimits::frame, "every message fits a frame");
    return frame;
}

Result<LinkMessage> decode_frame(ByteView body) {
    FieldReader from(body);
    const auto version = from.number<std::uint8_t>();
    const std::size_t kind = from.number<std::uint8_t>();
    if (!from.ok()) return fail(Code::malformed, "a frame has a version and a kind at least");
    if (auto known = check_version(version); !known) return fail(std::move(known.error()));
    if (kind >= std::size(readers))
        return fail(Code::malformed, fmt::format("there is no frame of kind {}", kind));
    LinkMessage message = readers[kind](from);
    if (!from.complete())
        return fail(Code::malformed, fmt::format("the fields of a frame do not fit its kind, {}", kind));
    return message;
}

Bytes datagram_of(std::uint32_t number, const DatagramMessage& message) {
    Bytes packet;
    append(packet, bytes_of(datagram_mark));
    append_le(packet, link_version);
    append_le(packet, static_cast<std::uint8_t>(message.index()));
    append_le(packet, number);
    if (const auto* answer = std::get_if<Answer>(&message)) {
        Answer fitting = *answer;
        fitting.text = cut(fitting.text, LinkLimits::error);
        append_fields(packet, fitting);
    } else {
        std::visit([&](const auto& m) { append_fields(packet, m); }, message);
    }
    check(packet.size() <= LinkLimits::datagram, "every message fits a datagram");
    return packet;
}

Result<Packet> decode_datagram(ByteView packet) {
    if (packet.size() > LinkLimits::datagram || !text_of(packet).starts_with(datagram_mark))
        return fail(Code::malformed, "the packet is not a datagram of a robot");
    FieldReader from(packet.subspan(datagram_mark.size()));
    const auto version = from.number<std::uint8_t>();
    const std::size_t kind = from.number<std::uint8_t>();
    const auto number = from.number<std::uint32_t>();
    if (!from.ok()) return fail(Code::malformed, "a datagram has a version, a kind and a number at least");
    if (auto known = check_version(version); !known) return fail(std::move(known.error()));
    constexpr std::size_t head = 10;
    auto message = read_packet(kind, packet.subspan(head));
    if (!message) return fail(std::move(message.error()));
    return Packet{number, std::move(*message)};
}

}  // namespace caribou::link
