#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <vector>

#include "base/random.hpp"
#include "sim/datagram_audit.hpp"
#include "sim/tapped_network.hpp"

namespace caribou::sim {

/// An attacker on the path of a robot's datagrams: stores the latest ones and sends some of them again as if
/// they came from the robot, unchanged or modified.
class DatagramWiretap final : public DatagramTap {
public:
    /// The audit, which is notified of all datagrams of this robot, must outlive this object.
    DatagramWiretap(DatagramAudit& audit, std::size_t robot, std::uint64_t seed)
        : audit_(audit), robot_(robot), random_(seed) {}

    /// Sends `count` stored datagrams after the robot's next one. If `alter` is set, half of them are
    /// modified.
    void replay(std::size_t count, bool alter) {
        replays_ = count;
        alters_ = alter;
    }

    std::vector<Bytes> on_sent(const Address& to, ByteView packet) override;
    void on_received(ByteView) override {}

private:
    static constexpr std::size_t most = 64;

    DatagramAudit& audit_;
    std::size_t robot_;
    Random random_;
    std::deque<Bytes> kept_;
    std::size_t replays_ = 0;
    bool alters_ = false;
};

/// Stores the bytes sent on the latest streams, from their first byte on.
class StreamWiretap final : public StreamTap {
public:
    /// Returns the stored bytes of a random stream; empty if there is none.
    Bytes any(Random& random) const;

    void on_read(StreamNumber, ByteView) override {}
    void on_written(StreamNumber stream, ByteView bytes) override;
    void on_gone(StreamNumber) override {}

private:
    static constexpr std::size_t most_streams = 8;
    static constexpr std::size_t most_bytes = 4096;

    std::map<StreamNumber, Bytes> said_;
};

}  // namespace caribou::sim
