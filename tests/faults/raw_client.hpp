#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "loop/network.hpp"
#include "wire/message.hpp"

namespace caribou::tests {

/// A connection that says exactly the bytes it is given, good or bad.
class RawClient final : StreamEvents {
public:
    /// Says `first` as soon as the connection stands.
    RawClient(Network& network, const Address& broker, Bytes first);

    void say(ByteView bytes);
    void stop_reading() { stream_->set_reading(false); }

    bool standing() const { return standing_; }
    /// The broker has ended the connection, or refused it.
    bool ended() const { return ended_; }
    /// Bytes that the network has not taken yet.
    std::size_t unsaid() const { return unsaid_.size() - taken_; }
    /// Whether the broker has welcomed it.
    bool welcome() const;
    /// Everything the broker has told so far, as far as it is whole.
    std::vector<wire::Message> heard() const;

private:
    void on_open() override;
    void on_readable() override;
    void on_writable() override { write(); }
    void on_connect_failed(const Error&) override { ended_ = true; }
    void write();

    std::unique_ptr<Stream> stream_;
    Bytes unsaid_;
    std::size_t taken_ = 0;
    Bytes received_;
    bool standing_ = false;
    bool ended_ = false;
};

/// The greeting and the name of an asynchronous client, as it says them.
Bytes hello(std::string_view name);
/// A packet with one value.
Bytes value_packet(std::string_view key, std::string_view payload);

}  // namespace caribou::tests
