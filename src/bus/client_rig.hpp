#pragma once

// A client under test on a virtual clock, with a broker controlled by the test.

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.hpp"
#include "bus/client.hpp"
#include "loop/memory_network.hpp"
#include "loop/virtual_loop.hpp"
#include "wire/codec.hpp"
#include "wire/packet_reader.hpp"

namespace caribou::bus {

using Packet = std::vector<wire::Message>;

/// The broker's end of one connection. Stores everything it receives.
class ScriptedConnection final : public StreamEvents {
public:
    explicit ScriptedConnection(std::unique_ptr<Stream> stream) : stream_(std::move(stream)) {
        stream_->attach(*this);
    }

    void send(ByteView bytes) {
        const std::array pieces{bytes};
        const auto taken = stream_->write(pieces);
        check(taken && *taken == bytes.size(), "the test's bytes fit into the stream");
    }
    void send(const wire::Message& message) { send(wire::encode_packet(wire::view(message))); }
    void send(const Packet& messages) { send(wire::encode_packet(messages)); }
    void end() { stream_.reset(); }
    void set_reading(bool reading) { stream_->set_reading(reading); }

    bool ended() const { return ended_ || !stream_; }
    const Bytes& heard() const { return heard_; }
    /// Returns the bytes received since the last call.
    Bytes take_bytes() {
        Bytes bytes(heard_.begin() + static_cast<std::ptrdiff_t>(taken_), heard_.end());
        taken_ = heard_.size();
        return bytes;
    }
    /// Returns all packets received since the greeting.
    std::vector<Packet> packets() const {
        std::vector<Packet> all;
        ByteView rest = ByteView(heard_).subspan(std::min(heard_.size(), wire::greeting_size));
        wire::PacketReader reader(64_MiB);
        for (;;) {
            const auto step = reader.next(rest);
            check(step.has_value(), "the client writes what can be read");
            rest = rest.subspan(step->consumed);
            using Kind = wire::PacketReader::Step::Kind;
            if (step->kind == Kind::need_more) return all;
            if (step->kind == Kind::packet) all.emplace_back();
            if (step->kind == Kind::message) all.back().push_back(wire::own(step->message));
        }
    }
    /// Returns all messages of one type.
    Packet messages(wire::MessageType type) const {
        Packet found;
        for (const Packet& packet : packets())
            std::ranges::copy_if(packet, std::back_inserter(found),
                                 [&](const auto& m) { return m.type == type; });
        return found;
    }

    void on_writable() override {}
    void on_readable() override {
        std::array<std::byte, 4096> room;
        const auto got = stream_->read(room);
        if (!got) {
            ended_ = true;
            return;
        }
        append(heard_, ByteView(room).first(*got));
    }

private:
    std::unique_ptr<Stream> stream_;
    Bytes heard_;
    std::size_t taken_ = 0;
    bool ended_ = false;
};

class ClientRig {
public:
    explicit ClientRig(ClientOptions options = {}, Faults faults = {}, std::uint64_t seed = 1)
        : network(loop, seed, faults), client(loop, network, named(std::move(options))) {}

    /// Starts a broker that accepts connections and sends nothing by itself.
    void listen() {
        auto listening =
            network.listen(Address::ip("127.0.0.1", 9000), [this](std::unique_ptr<Stream> stream) {
                connections.push_back(std::make_unique<ScriptedConnection>(std::move(stream)));
            });
        check(listening.has_value(), "the port is free");
        listener = std::move(*listening);
    }
    /// Returns the latest connection.
    ScriptedConnection& broker() { return *connections.back(); }

    /// Starts the client and accepts its connection.
    void connect() {
        if (!listener) listen();
        check(client.start().has_value(), "the client starts");
        welcome_next();
    }
    /// Waits until the next connection has sent its name, and accepts it.
    void welcome_next(std::string_view mode = wire::asynchronous) {
        const std::size_t before = connections.size();
        loop.run_until(
            [&] { return client.state() == ClientState::shaking_hands && connections.size() >= before; },
            std::chrono::seconds(2));
        loop.run_ready();
        check(client.state() == ClientState::shaking_hands, "the client says its name");
        broker().send(welcome(mode));
        loop.run_ready();
    }
    void run(Duration time) { loop.advance(time); }

    static wire::Message welcome(std::string_view mode = wire::asynchronous) {
        return {.type = wire::MessageType::welcome,
                .aux = "hostname=vm",
                .community = "vecs",
                .time = 1000,
                .value = 0.125,
                .payload = std::string(mode)};
    }
    static wire::Message poison(std::string_view reason) {
        return {.type = wire::MessageType::poison,
                .data_type = wire::DataType::string,
                .payload = std::string(reason)};
    }
    static wire::Message number(std::string_view key, double value) {
        return {.id = 3,
                .type = wire::MessageType::notify,
                .source = "other",
                .key = std::string(key),
                .time = 5,
                .value = value};
    }
    static wire::Message null_answer(double time = 1000) { return {.value = time}; }
    wire::Message timing_echo(double broker_time, double pause = 0) {
        const Packet sent = broker().messages(wire::MessageType::timing);
        check(!sent.empty(), "there is a TIMING to echo");
        wire::Message echo = sent.back();
        echo.value = broker_time;
        echo.value2 = pause;
        return echo;
    }

    VirtualLoop loop;
    MemoryNetwork network;
    std::unique_ptr<Listener> listener;
    std::vector<std::unique_ptr<ScriptedConnection>> connections;
    Client client;

private:
    static ClientOptions named(ClientOptions options) {
        if (options.name.empty()) options.name = "vec";
        return options;
    }
};

inline std::vector<std::string> keys(const Packet& messages) {
    std::vector<std::string> all;
    for (const auto& message : messages) all.push_back(message.key);
    return all;
}

inline std::vector<double> values(const Packet& messages) {
    std::vector<double> all;
    for (const auto& message : messages) all.push_back(message.value);
    return all;
}

}  // namespace caribou::bus
