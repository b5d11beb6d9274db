#pragma once

// Private to platform: includes Asio.

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <memory>

#include "loop/network.hpp"
#include "platform/event_loop_core.hpp"

namespace caribou {

/// UDP packets. send() accepts numeric addresses and `localhost` only, because resolving a name would block.
class SocketDatagram final : public Datagram {
public:
    static Result<std::unique_ptr<Datagram>> open(EventLoopCore& core, const Address& at, Task on_packet);
    ~SocketDatagram() override;

    Address address() const override { return address_; }
    Result<void> send(const Address& to, ByteView packet) override;
    Result<std::optional<Received>> receive(std::span<std::byte> into) override;

private:
    class Receiver;
    SocketDatagram(boost::intrusive_ptr<Receiver> receiver, Address address);

    boost::intrusive_ptr<Receiver> receiver_;
    Address address_;
};

}  // namespace caribou
