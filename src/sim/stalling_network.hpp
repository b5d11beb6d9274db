#pragma once

#include <set>

#include "loop/network.hpp"

namespace caribou::sim {

/// Hands everything on to another network, and can keep the streams that it connects from being
/// read: their owner hears of no bytes, and whoever sends to it finds the way blocked before long.
/// The network below outlives it; it outlives its streams.
class StallingNetwork final : public Network {
public:
    explicit StallingNetwork(Network& below) : below_(below) {}

    Result<std::unique_ptr<Listener>> listen(const Address& at, AcceptHandler on_accept) override;
    std::unique_ptr<Stream> connect(const Address& to, StreamEvents& events) override;
    Result<std::unique_ptr<Datagram>> bind(const Address& at, Task on_packet) override;

    /// Counts for the streams there are and for those to come.
    void stall(bool stalled);
    bool stalled() const { return stalled_; }

private:
    class StallingStream;

    Network& below_;
    bool stalled_ = false;
    std::set<StallingStream*> streams_;
};

}  // namespace caribou::sim
