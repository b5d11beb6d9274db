#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "link/datagram_seal.hpp"
#include "link/frame_outbox.hpp"
#include "link/frame_reader.hpp"
#include "link/keyed_network.hpp"
#include "link/message.hpp"
#include "loop/loop.hpp"
#include "loop/network.hpp"
#include "views/topic_line.hpp"

namespace caribou::station {

/// Telemetry of a robot in RM3 and CM3.
inline link::Telemetry driven_by_station() {
    link::Telemetry telemetry;
    telemetry.run_mode = link::RunMode::rm3;
    telemetry.com_mode = link::ComMode::cm3;
    return telemetry;
}

/// A simulated robot, as seen on the link. It calls until it is authenticated, then sends telemetry and
/// heartbeats and answers commands. For tests.
class PlayedRobot final : StreamEvents {
public:
    struct Settings {
        std::string name = "rover";
        std::string true_name{};  ///< name in its welcome, if it differs
        Address station{};
        Duration telemetry_period = std::chrono::milliseconds(100);
        double clock_ahead = 0;                ///< seconds
        std::optional<link::SecretKey> key{};  ///< nullopt: no authentication
        std::uint64_t boot = 1;
        link::SecuredNetwork* streams = nullptr;  ///< replaces the authentication used in tests
        bool calls = true;                        ///< from the start
    };

private:
    Loop& loop_;  // declared before members that use it

public:
    using Answering = std::function<std::vector<link::Answer>(const link::Command&)>;

    PlayedRobot(Loop& loop, Network& network, Settings settings)
        : loop_(loop),
          settings_(std::move(settings)),
          keyed_(network, {.keys = [this](link::KeyId id) -> Result<link::SecretKey> {
                     if (settings_.key && id == link::id_of(*settings_.key)) return *settings_.key;
                     return fail(Code::not_found, "there is no such key");
                 }}),
          round_(loop.make_timer([this] { round(); })),
          calls_(loop.make_timer([this] { call(); })) {
        if (settings_.key)
            boot_.emplace(link::BootMark{link::id_of(*settings_.key), settings_.boot, {}}, *settings_.key,
                          link::Direction::to_station);
        Network& proven = settings_.streams ? static_cast<Network&>(*settings_.streams) : keyed_;
        Network& streams = settings_.key ? proven : network;
        listener_ = *streams.listen(Address::ip("127.0.0.1", 0), [this](std::unique_ptr<Stream> stream) {
            reader_ = {};
            stream_ = std::move(stream);
            stream_->attach(*this);
        });
        datagram_ = *network.bind(Address::ip("127.0.0.1", 0), [this] { receive(); });
        calls = settings_.calls;
        call();
        round();
    }

    void say(const link::LinkMessage& message) {
        const Bytes frame = frame_of(message);
        const ByteView piece = frame;
        check(stream_ != nullptr, "a robot that speaks is connected");
        static_cast<void>(stream_->write({&piece, 1}));
    }
    Bytes sealed(const link::DatagramMessage& message) {
        Bytes datagram = datagram_of(++datagrams_, message);
        return settings_.key ? (session_ ? *session_ : *boot_).seal(datagram) : datagram;
    }
    void send(const link::DatagramMessage& message) {
        last_sent = sealed(message);
        send_again(last_sent);
    }
    void send_again(const Bytes& datagram) {
        static_cast<void>(datagram_->send(settings_.station, datagram));
    }
    void hang_up() { drop(); }
    /// Neither calls nor sends heartbeats nor answers from now on.
    void freeze() {
        calls = beats = false;
        answering = [](const link::Command&) { return std::vector<link::Answer>{}; };
    }
    /// While false, the data written by the station fills the connection.
    void set_reading(bool reading) { stream_->set_reading(reading); }
    double clock() const { return loop_.clock().unix_seconds() + settings_.clock_ahead; }
    void set_clock(double ahead) { settings_.clock_ahead = ahead; }
    Address receives_at() const { return listener_->address(); }

    bool welcomes = true;
    bool sends_telemetry = true;
    bool beats = true;
    bool calls = true;
    link::Telemetry telemetry = driven_by_station();
    Answering answering = [](const link::Command& command) {
        return std::vector{link::Answer::done(command.id)};
    };

    std::function<void()> on_auth = [] {};
    std::function<void()> on_goodbye = [] {};

    Bytes last_sent;  ///< last datagram sent
    std::optional<link::Auth> auth;
    std::vector<link::Command> commands;  ///< received
    std::vector<link::StopNow> stops;     ///< received as datagrams
    std::vector<link::Heartbeat> heartbeats;
    std::optional<std::string> goodbye;
    negotiation::SessionTransport topics{loop_};  ///< for topics published by a test
    std::size_t topic_frames = 0;                 ///< received

    /// Returns the texts of the commands, without those that the session sends itself.
    std::vector<std::string> told() const {
        std::vector<std::string> all;
        for (const link::Command& command : commands)
            if (command.code != link::CommandCode::take_lease &&
                command.code != link::CommandCode::release_lease && command.code != link::CommandCode::status)
                all.push_back(to_string(command));
        return all;
    }

private:
    void on_readable() override {
        std::array<std::byte, 4096> bytes;
        const auto size = stream_->read(bytes);
        if (!size) return drop();
        reader_.add(ByteView(bytes).first(*size));
        while (stream_) {
            const auto message = reader_.next();
            check(message.has_value(), "a station speaks the link");
            if (!*message) return;
            take(**message);
        }
    }
    void on_writable() override { flush(); }
    void flush() {
        if (stream_) static_cast<void>(outbox_.flush(*stream_));
    }

    void take(const link::LinkMessage& message) {
        if (const auto* a = std::get_if<link::Auth>(&message)) {
            auth = *a;
            if (const link::SecuredStream* const stream = link::secured(*stream_)) {
                const link::SecretKey secret = stream->derive(link::datagram_purpose);
                session_.emplace(link::SessionMark{1}, secret, link::Direction::to_station);
                if (welcomes) stop_opener_.emplace(link::SessionMark{1}, secret, link::Direction::to_robot);
            }
            if (welcomes)
                say(link::Welcome{settings_.true_name.empty() ? settings_.name : settings_.true_name, a->role,
                                  1});
            on_auth();
        } else if (const auto* command = std::get_if<link::Command>(&message)) {
            commands.push_back(*command);
            for (const link::Answer& answer : answering(*command)) say(answer);
        } else if (const auto* beat = std::get_if<link::Heartbeat>(&message)) {
            heartbeats.push_back(*beat);
        } else if (const auto* piece = std::get_if<link::TopicPiece>(&message)) {
            ++topic_frames;
            if (!line_)
                line_ = std::make_unique<views::TopicLine>(
                    loop_, topics, "station", outbox_,
                    views::TopicLine::Handlers{[this] { flush(); }, [](const std::string&) {}});
            check(line_->take(*piece).has_value(), "a station speaks of topics as it should");
        } else if (const auto* g = std::get_if<link::Goodbye>(&message)) {
            goodbye = g->why;
            drop();
            on_goodbye();
        }
    }

    void drop() {
        line_.reset();
        outbox_.clear();
        stream_.reset();
        session_.reset();
        auth.reset();
    }
    void receive() {
        std::array<std::byte, link::LinkLimits::datagram> bytes;
        const auto received = datagram_->receive(bytes).value();
        if (!received || !stop_opener_) return;
        const auto content = stop_opener_->open(ByteView(bytes).first(received->size));
        check(content.has_value(), "a station seals its datagrams for the latest session");
        stops.push_back(std::get<link::StopNow>(link::decode_datagram(*content).value().message));
    }
    void call() {
        calls_->arm(loop_.clock().now() + std::chrono::milliseconds(500));
        if (calls && !auth) send(link::ConnectToMe{settings_.name, listener_->address().port});
    }
    void round() {
        round_->arm(loop_.clock().now() + settings_.telemetry_period);
        if (!auth || !welcomes) return;
        telemetry.number += 1;
        telemetry.stamp = clock();
        if (sends_telemetry) send(telemetry);
        if (beats && telemetry.number % 10 == 0)
            say(link::Heartbeat{telemetry.number, clock(), heartbeats.empty() ? 0 : heartbeats.back().sent});
    }

    Settings settings_;
    link::KeyedNetwork keyed_;
    std::optional<link::DatagramSealer> boot_;
    std::optional<link::DatagramSealer> session_;
    std::optional<link::SessionOpener> stop_opener_;  ///< of the latest session
    std::unique_ptr<Timer> round_;
    std::unique_ptr<Timer> calls_;
    std::unique_ptr<Listener> listener_;
    std::unique_ptr<Stream> stream_;
    std::unique_ptr<Datagram> datagram_;
    link::FrameReader reader_;
    link::FrameOutbox outbox_;
    std::unique_ptr<views::TopicLine> line_;
    std::uint32_t datagrams_ = 0;
};

}  // namespace caribou::station
