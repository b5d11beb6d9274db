#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "loop/network.hpp"
#include "wire/message.hpp"

namespace caribou::tests {

/// A connection that sends exactly the given bytes, valid or not.
class RawClient final : StreamEvents {
public:
    /// Sends `first` as soon as it is connected.
    RawClient(Network& network, const Address& broker, Bytes first);

    /// Queues bytes; they are sent as fast as the network accepts them.
    void say(ByteView bytes);
    /// Stops reading, so that the broker's output backs up.
    void stop_reading() { stream_->set_reading(false); }

    bool standing() const { return standing_; }
    /// Returns whether the broker has closed or refused the connection.
    bool ended() const { return ended_; }
    /// Returns the number of bytes that the network has not accepted yet.
    std::size_t unsaid() const { return unsaid_.size() - taken_; }
    /// Returns whether the broker has accepted it.
    bool welcome() const;
    /// Returns all complete messages received so far.
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

/// Returns the greeting and the name of an asynchronous client.
Bytes hello(std::string_view name);
/// Returns a packet with one value.
Bytes value_packet(std::string_view key, std::string_view payload);

}  // namespace caribou::tests
