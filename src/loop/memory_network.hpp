#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/limits.hpp"
#include "base/random.hpp"
#include "loop/loop.hpp"
#include "loop/network.hpp"

namespace caribou {

class MemoryFabric;

/// The faults of a simulated network. The default is a perfect network.
struct Faults {
    Duration min_delay{0};  ///< one way, for streams and datagrams
    Duration max_delay{0};
    double loss = 0;         ///< probability, for datagrams
    double duplication = 0;  ///< probability, for datagrams
    /// Fraction of datagrams delayed by another max_delay, so that later ones overtake them.
    double reordering = 0;
    bool split_reads = false;  ///< a read returns any part of the available bytes, at least one
    /// Bytes in flight in one direction before write() accepts no more.
    std::size_t stream_buffer = 256_KiB;
};

/// A network inside this process. With default faults it is perfect and immediate: the transport for programs
/// that run everything in one process. With faults and a seed it is a simulated network: delay, loss,
/// reordering, duplication, split and merged reads, and the operations below. Addresses are written as on a
/// real network; hosts are distinguished by the `host` passed to `on_host`.
///
/// An event that its handler does not act on (on_readable without a read, on_packet without a receive) is
/// repeated after a millisecond and not in the next turn, so that a virtual clock can advance. Objects that
/// outlive the MemoryNetwork keep working. The loop must outlive all of them.
class MemoryNetwork final : public Network {
public:
    explicit MemoryNetwork(Loop& loop, std::uint64_t seed = 0, Faults faults = {});
    ~MemoryNetwork() override;

    Result<std::unique_ptr<Listener>> listen(const Address& at, AcceptHandler on_accept) override;
    std::unique_ptr<Stream> connect(const Address& to, StreamEvents& events) override;
    Result<std::unique_ptr<Datagram>> bind(const Address& at, Task on_packet) override;

    /// Returns the network as another host sees it; everything created with it belongs to that host.
    /// Listening at 127.0.0.1 or localhost means the host itself; connecting to a host's name reaches that
    /// host.
    std::unique_ptr<Network> on_host(std::string host);

    void set_faults(Faults faults);
    /// Blocks all traffic between the two hosts until heal(): streams stall, datagrams are lost, and connects
    /// fail after `connect_timeout`.
    void partition(const std::string& a, const std::string& b);
    void heal(const std::string& a, const std::string& b);
    /// Simulates a power failure of a host. Its connections become half-open: the other end receives neither
    /// data nor an error. Its listeners are gone, objects that its programs still hold are inert, and
    /// connects to it time out, until something is created on it again.
    void crash(const std::string& host);
    /// Ends every stream between two hosts with an error at both ends.
    void reset(const std::string& a, const std::string& b);

    /// The host of everything that is created directly and not through on_host().
    static constexpr std::string_view own_host = "local";
    static constexpr Duration connect_timeout = std::chrono::seconds(3);

private:
    std::shared_ptr<MemoryFabric> fabric_;
    std::unique_ptr<Network> own_;
};

}  // namespace caribou
