#pragma once

// Private to platform: includes Asio.

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <expected>
#include <memory>
#include <string>

#include "loop/address.hpp"
#include "loop/stream.hpp"
#include "platform/event_loop_core.hpp"

namespace caribou {

/// A TCP or Unix connection. Has no buffers of its own: bytes wait in the kernel.
class SocketStream final : public Stream {
public:
    /// Takes ownership of the descriptor of an established connection. Fails with an errno value.
    static std::expected<std::unique_ptr<SocketStream>, int> standing(EventLoopCore& core, int descriptor,
                                                                      std::string peer);
    /// Starts to connect; fails after `limit`.
    static std::unique_ptr<SocketStream> connecting(EventLoopCore& core, const Address& to, Duration limit,
                                                    StreamEvents& events);
    ~SocketStream() override;

    void attach(StreamEvents& events) override;
    Result<std::size_t> read(std::span<std::byte> into) override;
    Result<std::size_t> write(std::span<const ByteView> pieces) override;
    void set_reading(bool reading) override;
    std::string peer() const override;

private:
    class Connection;
    explicit SocketStream(boost::intrusive_ptr<Connection> connection);

    boost::intrusive_ptr<Connection> connection_;
};

}  // namespace caribou
