#pragma once

#include <memory>
#include <string>

#include "loop/bell.hpp"
#include "loop/inbox.hpp"
#include "loop/memory_fabric.hpp"
#include "loop/network.hpp"

namespace caribou {

/// A datagram socket on one host of a MemoryNetwork. Private to loop.
class MemoryDatagram final : public Datagram {
public:
    static constexpr std::size_t max_packet = 65507;  ///< bytes, as with UDP over IPv4
    static constexpr std::size_t max_waiting = 1024;  ///< packets; further ones are lost

    static Result<std::unique_ptr<MemoryDatagram>> bind(std::shared_ptr<MemoryFabric> fabric,
                                                        std::string host, const Address& at, Task on_packet);
    ~MemoryDatagram() override;

    Address address() const override { return address_; }
    Result<void> send(const Address& to, ByteView packet) override;
    Result<std::optional<Received>> receive(std::span<std::byte> into) override;

    /// Queues a packet that has arrived.
    void deliver(Packet packet);
    /// Called when this host has crashed: nothing is sent or received any more.
    void vanish();

private:
    MemoryDatagram(std::shared_ptr<MemoryFabric> fabric, std::string host, Task on_packet);

    void notify();
    Address seen_from(const std::string& host) const;

    std::shared_ptr<MemoryFabric> fabric_;
    std::string host_;
    Place place_;
    Address address_;
    std::shared_ptr<Task> on_packet_;  ///< shared, because it may destroy this socket while it runs
    LocalInbox<Packet> waiting_{max_waiting, WhenFull::refuse};
    bool progressed_ = false;  ///< a packet was received since the last event
    bool vanished_ = false;
    Bell bell_;
};

}  // namespace caribou
