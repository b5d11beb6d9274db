#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "link/datagram_seal.hpp"
#include "link/frame_reader.hpp"
#include "link/keyed_network.hpp"
#include "link/message.hpp"
#include "loop/loop.hpp"
#include "loop/network.hpp"

namespace caribou::robot {

/// A simulated station as seen by a robot, for tests: receives datagrams, connects on request, sends
/// heartbeats while not silenced.
class PlayedStation final : public StreamEvents {
public:
    PlayedStation(Loop& loop, Network& network, std::string name = "station")
        : loop_(loop),
          network_(network),
          name_(std::move(name)),
          socket_(network.bind(Address::ip("127.0.0.1", 0), [this] { hear(); }).value()),
          timer_(loop.make_timer([this] { beat(); })) {}

    Address address() const { return socket_->address(); }
    /// Connects with a key from now on, and opens sealed datagrams.
    void pair(const link::SecretKey& key) {
        key_ = key;
        boot_.emplace(key, link::Direction::to_station);
    }

    /// Connects and sends AUTH.
    void dial(std::uint16_t port, link::Role role = link::Role::admin, bool takes_telemetry = true) {
        welcome.reset();
        goodbye.reset();
        reader_ = {};
        auth_ = {name_, role, takes_telemetry ? to_string(address()) : std::string()};
        const Address to = Address::ip("127.0.0.1", port);
        stream_ = key_ ? keyed_.connect(to, *key_, *this) : network_.connect(to, *this);
    }
    void hang_up() { stream_.reset(); }
    /// Stops sending, although the connection stays open.
    void fall_silent() { silent_ = true; }

    /// Returns the id of the command.
    std::uint64_t send(std::string_view text, std::optional<std::uint64_t> id = {}) {
        link::Command command = link::command_from(text).value();
        command.id = {id.value_or(++last_id_)};
        send(command);
        return command.id.value;
    }
    /// Returns a full stop as a datagram, sealed with the key of the session.
    Bytes sealed_stop(std::uint64_t id) {
        return stops_->seal(link::datagram_of(++stop_number_, link::StopNow{{id}}));
    }
    /// Sends a datagram to the robot, from which at least one must have been received.
    void send_datagram(ByteView datagram) { std::ignore = socket_->send(robot_.value(), datagram); }
    void send(const link::LinkMessage& message) {
        const Bytes frame = link::frame_of(message);
        const std::array pieces{ByteView(frame)};
        if (stream_) std::ignore = stream_->write(pieces);
    }
    /// Returns the answers to a command, in order: `ACCEPTED`, `DONE`.
    std::vector<std::string> answers_to(std::uint64_t id) const {
        std::vector<std::string> all;
        for (const link::Answer& answer : answers)
            if (answer.id.value == id) all.push_back(to_string(answer));
        return all;
    }

    std::optional<link::Welcome> welcome;
    std::optional<link::Goodbye> goodbye;
    std::vector<link::Answer> answers;
    std::vector<link::Answer> datagram_answers;
    std::vector<link::Telemetry> telemetry;
    std::vector<link::ConnectToMe> calls;
    std::vector<std::string> errors;
    std::size_t heartbeats = 0;
    link::Heartbeat last_heartbeat;  ///< received
    Instant last_heartbeat_at{};
    std::size_t unopened = 0;      ///< datagrams
    std::optional<Error> failure;  ///< to connect
    bool connected() const { return stream_ != nullptr; }

private:
    void on_open() override {
        send(auth_);
        beat();
    }
    void on_writable() override {}
    void on_connect_failed(const Error& why) override {
        failure = why;
        stream_.reset();
    }
    void on_readable() override {
        std::array<std::byte, 4096> scratch;
        const auto size = stream_->read(scratch);
        if (!size) return stream_.reset();
        reader_.add(ByteView(scratch).first(*size));
        while (auto message = reader_.next().value()) {
            if (auto* answer = std::get_if<link::Answer>(&*message)) answers.push_back(std::move(*answer));
            if (auto* hello = std::get_if<link::Welcome>(&*message)) take(std::move(*hello));
            if (auto* bye = std::get_if<link::Goodbye>(&*message)) goodbye = std::move(*bye);
            if (const auto* beat = std::get_if<link::Heartbeat>(&*message)) {
                ++heartbeats;
                last_heartbeat = *beat;
                last_heartbeat_at = loop_.clock().now();
            }
        }
    }
    void take(link::Welcome hello) {
        if (const link::SecuredStream* const stream = link::secured(*stream_)) {
            const link::SecretKey secret = stream->derive(link::datagram_purpose);
            session_.emplace(link::SessionMark{hello.session}, secret, link::Direction::to_station);
            stops_.emplace(link::SessionMark{hello.session}, secret, link::Direction::to_robot);
        }
        welcome = std::move(hello);
    }
    Result<Bytes> open(ByteView datagram) {
        if (!key_) return Bytes(datagram.begin(), datagram.end());
        auto content = boot_->open(datagram);
        return content || !session_ ? content : session_->open(datagram);
    }
    void beat() {
        if (!silent_) send(link::Heartbeat{});
        timer_->arm(loop_.clock().now() + std::chrono::seconds(1));
    }
    void hear() {
        std::array<std::byte, link::LinkLimits::datagram> scratch;
        const auto received = socket_->receive(scratch).value();
        if (!received) return;
        const auto content = open(ByteView(scratch).first(received->size));
        if (!content) return static_cast<void>(++unopened);
        const auto packet = link::decode_datagram(*content);
        if (!packet) return static_cast<void>(++unopened);  // sealed, and there is no key
        robot_ = received->from;
        if (const auto* answer = std::get_if<link::Answer>(&packet->message))
            datagram_answers.push_back(*answer);
        if (const auto* round = std::get_if<link::Telemetry>(&packet->message)) telemetry.push_back(*round);
        if (const auto* call = std::get_if<link::ConnectToMe>(&packet->message)) calls.push_back(*call);
        if (const auto* error = std::get_if<link::ErrorReport>(&packet->message))
            errors.push_back(error->text);
    }

    Loop& loop_;
    Network& network_;
    link::KeyedNetwork keyed_{network_, {}};
    std::optional<link::SecretKey> key_;
    std::optional<link::BootOpener> boot_;
    std::optional<link::SessionOpener> session_;
    std::optional<link::DatagramSealer> stops_;  ///< of the latest session
    std::uint32_t stop_number_ = 0;
    std::optional<Address> robot_;  ///< where its datagrams come from
    std::string name_;
    link::Auth auth_;
    std::unique_ptr<Stream> stream_;
    link::FrameReader reader_;
    std::uint64_t last_id_ = 0;
    bool silent_ = false;
    std::unique_ptr<Datagram> socket_;
    std::unique_ptr<Timer> timer_;
};

}  // namespace caribou::robot
