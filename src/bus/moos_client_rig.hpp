#pragma once

// Shared by tests and benchmarks.

#include <array>
#include <memory>
#include <string>
#include <utility>

#include "base/bytes.hpp"
#include "loop/network.hpp"
#include "wire/codec.hpp"

namespace caribou::bus {

/// A client that handles connection losses like the original MOOS library: it reconnects at once after a
/// loss, retries a refused connection after `retry`, and gives up for ever if the connection is lost during a
/// handshake.
class MoosClient final : StreamEvents {
public:
    enum class After { welcome_stays, welcome_reconnects };

    /// Starts to connect. `after` selects the behavior after a welcome; `welcome_reconnects` closes the
    /// connection and connects again, so that a handshake is always in progress.
    MoosClient(Loop& loop, Network& network, Address broker, std::string name,
               After after = After::welcome_stays);

    bool is_welcome() const { return state_ == State::welcome; }
    bool has_given_up() const { return state_ == State::given_up; }
    /// Returns how many times a broker has accepted it.
    std::size_t welcomes() const { return welcomes_; }

    static constexpr Duration retry = std::chrono::milliseconds(50);

private:
    enum class State { connecting, handshake, welcome, given_up };

    void connect();
    void on_open() override;
    void on_readable() override;
    void on_writable() override {}
    void on_connect_failed(const Error& why) override;

    Loop& loop_;
    Network& network_;
    Address broker_;
    std::string name_;
    After after_;
    std::unique_ptr<Timer> retry_;
    std::unique_ptr<Stream> stream_;
    State state_ = State::connecting;
    Bytes received_;
    std::size_t welcomes_ = 0;
};

inline MoosClient::MoosClient(Loop& loop, Network& network, Address broker, std::string name, After after)
    : loop_(loop),
      network_(network),
      broker_(std::move(broker)),
      name_(std::move(name)),
      after_(after),
      retry_(loop.make_timer([this] { connect(); })) {
    connect();
}

inline void MoosClient::connect() {
    state_ = State::connecting;
    received_.clear();
    stream_ = network_.connect(broker_, *this);
}

inline void MoosClient::on_open() {
    state_ = State::handshake;
    const ByteView greeting = wire::greeting();
    Bytes bytes(greeting.begin(), greeting.end());
    append(bytes, wire::encode_packet(wire::MessageView{.type = wire::MessageType::data,
                                                        .data_type = wire::DataType::string,
                                                        .key = wire::asynchronous,
                                                        .time = loop_.clock().unix_seconds(),
                                                        .payload = name_}));
    const ByteView all = bytes;
    // A lost connection is reported to the reader.
    std::ignore = stream_->write({&all, 1});
}

inline void MoosClient::on_connect_failed(const Error&) { retry_->arm(loop_.clock().now() + retry); }

inline void MoosClient::on_readable() {
    std::array<std::byte, 16384> room;
    const auto size = stream_->read(room);
    if (!size) {
        if (state_ != State::handshake) return connect();
        state_ = State::given_up;
        return stream_->set_reading(false);
    }
    if (state_ != State::handshake) return;
    append(received_, ByteView(room).first(*size));
    constexpr std::size_t type_at = wire::packet_header_size + 8;  // after length and id
    if (received_.size() <= type_at) return;
    if (static_cast<char>(received_[type_at]) != static_cast<char>(wire::MessageType::welcome)) {
        state_ = State::given_up;
        return stream_->set_reading(false);
    }
    state_ = State::welcome;
    welcomes_ += 1;
    if (after_ == After::welcome_reconnects) connect();
}

}  // namespace caribou::bus
