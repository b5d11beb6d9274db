#pragma once

#include <set>

#include "loop/network.hpp"

namespace caribou::sim {

/// A decorator for a network that can suspend reading on the streams it connects: their owner receives no
/// bytes, and the peer's writes block after a while. The underlying network must outlive this object, which
/// must outlive its streams.
class StallingNetwork final : public Network {
public:
    explicit StallingNetwork(Network& below) : below_(below) {}

    Result<std::unique_ptr<Listener>> listen(const Address& at, AcceptHandler on_accept) override;
    std::unique_ptr<Stream> connect(const Address& to, StreamEvents& events) override;
    Result<std::unique_ptr<Datagram>> bind(const Address& at, Task on_packet) override;

    /// Suspends or resumes reading on all present and future streams.
    void stall(bool stalled);
    bool stalled() const { return stalled_; }

private:
    class StallingStream;

    Network& below_;
    bool stalled_ = false;
    std::set<StallingStream*> streams_;
};

}  // namespace caribou::sim
