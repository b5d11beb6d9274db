#pragma once

// A broker for unit tests: bytes and time are passed in directly.

#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/check.hpp"
#include "base/log.hpp"
#include "bus/broker.hpp"
#include "wire/codec.hpp"
#include "wire/packet_reader.hpp"

namespace caribou::bus {

class BrokerRig {
public:
    explicit BrokerRig(BrokerOptions options = {.community = "vecs", .hostname = "vm"})
        : broker(std::move(options), log, at) {}

    /// Returns a connection that has not sent anything.
    ConnectionId accept() { return *broker.connect("test", at); }
    void send(ConnectionId id, ByteView bytes) { broker.receive(id, bytes, at); }
    void send(ConnectionId id, const wire::Message& message) {
        send(id, wire::encode_packet(wire::view(message)));
    }
    void send(ConnectionId id, const std::vector<wire::Message>& messages) {
        send(id, wire::encode_packet(messages));
    }

    /// Returns a connected client whose welcome has already been read.
    ConnectionId join(std::string_view name, bool synchronous = false) {
        const ConnectionId id = accept();
        send(id, wire::greeting());
        send(id, name_message(name, synchronous));
        const auto answer = receive(id);
        check(answer.size() == 1 && answer[0].type == wire::MessageType::welcome,
              "the rig's client is welcome");
        return id;
    }

    /// Returns all packets for a connection, as a fast reader would receive them.
    std::vector<std::vector<wire::Message>> packets(ConnectionId id) {
        std::vector<std::vector<wire::Message>> all;
        const Bytes bytes = raw(id);
        ByteView rest = bytes;
        wire::PacketReader reader(64_MiB);
        for (;;) {
            auto step = reader.next(rest);
            check(step.has_value(), "the broker writes what can be read");
            rest = rest.subspan(step->consumed);
            using Kind = wire::PacketReader::Step::Kind;
            if (step->kind == Kind::need_more) break;
            if (step->kind == Kind::packet) all.emplace_back();
            if (step->kind == Kind::message) all.back().push_back(wire::own(step->message));
        }
        check(rest.empty() && reader.between_packets(), "the broker writes whole packets");
        return all;
    }
    std::vector<wire::Message> receive(ConnectionId id) {
        std::vector<wire::Message> all;
        for (auto& packet : packets(id))
            for (auto& message : packet) all.push_back(std::move(message));
        return all;
    }
    Bytes raw(ConnectionId id, std::size_t most = SIZE_MAX) {
        Bytes bytes;
        std::array<ByteView, 8> pieces;
        std::vector<ConnectionId> ready;
        broker.take_ready(ready, at);
        while (const std::size_t count = broker.gather(id, pieces, at)) {
            std::size_t size = 0;
            for (ByteView piece : std::span(pieces).first(count)) {
                piece = piece.first(std::min(piece.size(), most - bytes.size()));
                append(bytes, piece);
                size += piece.size();
            }
            broker.sent(id, size, at);
            if (bytes.size() == most) break;
        }
        return bytes;
    }

    /// Advances the time in small steps, with ticks as in a running broker.
    void advance(Duration span) {
        for (constexpr Duration step = std::chrono::milliseconds(500); span > step; span -= step) jump(step);
        jump(span);
    }
    /// Advances the time without ticks, as if the process were suspended.
    void jump(Duration step) {
        at.now += step;
        at.warped += step;
        at.stamp += to_seconds(step);
        broker.tick(at);
    }

    static wire::Message name_message(std::string_view name, bool synchronous = false) {
        return {.type = wire::MessageType::data,
                .data_type = wire::DataType::string,
                .key = std::string(synchronous ? "" : wire::asynchronous),
                .time = 999,
                .payload = std::string(name)};
    }
    static wire::Message number(std::string_view key, double value, std::string_view source = "") {
        return {.id = 7,
                .type = wire::MessageType::notify,
                .source = std::string(source),
                .key = std::string(key),
                .time = 5,
                .value = value};
    }
    static wire::Message text(std::string_view key, std::string_view value, std::string_view source = "") {
        return {.id = 7,
                .type = wire::MessageType::notify,
                .data_type = wire::DataType::string,
                .source = std::string(source),
                .key = std::string(key),
                .time = 5,
                .payload = std::string(value)};
    }
    static wire::Message registration(std::string_view key, double interval = 0,
                                      std::string_view source = "") {
        return {.type = wire::MessageType::register_,
                .source = std::string(source),
                .key = std::string(key),
                .value = interval};
    }
    static wire::Message unregistration(std::string_view key) {
        return {.type = wire::MessageType::unregister, .key = std::string(key), .value = 0};
    }
    static wire::Message wildcard(std::string_view payload, bool end = false) {
        return {.type = end ? wire::MessageType::wildcard_unregister : wire::MessageType::wildcard_register,
                .data_type = wire::DataType::string,
                .payload = std::string(payload)};
    }
    static wire::Message request(std::string_view what) {
        return {.id = wire::server_request_id,
                .type = wire::MessageType::server_request,
                .data_type = wire::DataType::string,
                .key = std::string(what)};
    }
    static wire::Message timing(double time) {
        return {.type = wire::MessageType::timing,
                .key = std::string(wire::timing_key),
                .time = time,
                .value = 0};
    }

    MemoryLog log;
    Moment at{Instant(std::chrono::hours(1)), Instant(std::chrono::hours(2)), 1000.0};
    Broker broker;
};

}  // namespace caribou::bus
