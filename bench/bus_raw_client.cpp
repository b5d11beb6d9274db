#include "bus_raw_client.hpp"

#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "give_up.hpp"
#include "wire/codec.hpp"
#include "wire/packet_reader.hpp"

namespace caribou::bench {

using wire::MessageType;

void RawClient::say_name(std::string_view name) const {
    Bytes hello(wire::greeting().begin(), wire::greeting().end());
    append(hello, wire::encode_packet({.type = MessageType::data,
                                       .data_type = wire::DataType::string,
                                       .key = wire::asynchronous,
                                       .payload = name}));
    send(hello);
}

void RawClient::subscribe(std::string_view key) {
    send(wire::encode_packet({.type = MessageType::register_, .key = key, .value = 0}));
    heartbeat();
}

void RawClient::subscribe_all(std::string_view pattern) {
    send(wire::encode_packet({.type = MessageType::wildcard_register,
                              .data_type = wire::DataType::string,
                              .payload = fmt::format("AppPattern=*,VarPattern={},Interval=0", pattern)}));
    heartbeat();
}

void RawClient::heartbeat() {
    send(wire::encode_packet({.type = MessageType::timing, .key = wire::timing_key, .value = 0}));
    await(MessageType::timing);
}

void RawClient::await(MessageType type) {
    wire::PacketReader reader(64_KiB);
    std::array<std::byte, 4096> room;
    std::size_t filled = 0;
    std::size_t used = 0;
    for (bool found = false; !found || !reader.between_packets();) {
        const auto step = reader.next(ByteView(room).subspan(used, filled - used));
        if (!step) give_up("the broker writes nonsense: " + step.error().message);
        used += step->consumed;
        using Kind = wire::PacketReader::Step::Kind;
        if (step->kind == Kind::message) found = found || step->message.type == type;
        if (step->kind == Kind::need_more) filled += connection_.receive(std::span(room).subspan(filled));
    }
    if (used != filled) give_up("the broker has sent more than was asked for");
}

void RawClient::receive_one() {
    std::array<std::byte, 4096> room;
    while (receive(room) == 0) {}
}

Bytes plain_messages(std::size_t messages) {
    Bytes all;
    for (std::size_t i = 0; i < messages; ++i) {
        append_le(all, static_cast<std::uint32_t>(payload_size));
        all.resize(all.size() + payload_size, std::byte{'x'});
    }
    return all;
}

Bytes notify_packet(std::string_view client, std::string_view key, std::size_t messages) {
    const wire::Message message{.id = 1,
                                .type = MessageType::notify,
                                .data_type = wire::DataType::string,
                                .source = std::string(client),
                                .key = std::string(key),
                                .time = 1.5e9,
                                .payload = std::string(payload_size, 'x')};
    return wire::encode_packet(std::vector(messages, message));
}

}  // namespace caribou::bench
