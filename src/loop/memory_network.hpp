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

/// How a network misbehaves. The default is a perfect one.
struct Faults {
    Duration min_delay{0};  ///< one way, for streams and datagrams
    Duration max_delay{0};
    double loss = 0;         ///< of datagrams
    double duplication = 0;  ///< of datagrams
    /// Share of datagrams that take another max_delay, so that later ones overtake.
    double reordering = 0;
    bool split_reads = false;  ///< a read returns any part of what is there, at least one byte
    /// Bytes on the way in one direction before write() takes no more.
    std::size_t stream_buffer = 256_KiB;
};

/// A network inside this process. With default faults it is perfect and immediate: the transport
/// for programs that host everything in one process. With faults and a seed it is the simulated
/// network: delay, loss, reordering, duplication, split and merged reads, and what the calls below
/// do. Addresses are as on a real network; hosts are told apart by the `host` given to `on_host`.
///
/// An event that its hearer does nothing about (on_readable without a read, on_packet without a
/// receive) comes again after a millisecond rather than in the next turn, so that a virtual clock
/// can move on. What outlives the MemoryNetwork goes on working; the loop outlives everything.
class MemoryNetwork final : public Network {
public:
    explicit MemoryNetwork(Loop& loop, std::uint64_t seed = 0, Faults faults = {});
    ~MemoryNetwork() override;

    Result<std::unique_ptr<Listener>> listen(const Address& at, AcceptHandler on_accept) override;
    std::unique_ptr<Stream> connect(const Address& to, StreamEvents& events) override;
    Result<std::unique_ptr<Datagram>> bind(const Address& at, Task on_packet) override;

    /// The same network as another host sees it: what it makes belongs to that host. Listening at
    /// 127.0.0.1 or localhost means the host itself; connecting to a host's name reaches it.
    std::unique_ptr<Network> on_host(std::string host);

    void set_faults(Faults faults);
    /// Nothing passes between the two hosts until heal(): streams stall, datagrams are lost,
    /// connects time out after `connect_timeout`.
    void partition(const std::string& a, const std::string& b);
    void heal(const std::string& a, const std::string& b);
    /// The host vanishes without a word, as in a power cut: every connection of it becomes
    /// half-open at the other end, where nothing is ever heard again. Its listeners are gone, what its
    /// programs still hold is silent, and connects to it time out, until something is made on it again.
    void crash(const std::string& host);
    /// Ends every stream between two hosts with an error at both ends.
    void reset(const std::string& a, const std::string& b);

    /// The host to which belongs what is made here rather than by on_host().
    static constexpr std::string_view own_host = "local";
    static constexpr Duration connect_timeout = std::chrono::seconds(3);

private:
    std::shared_ptr<MemoryFabric> fabric_;
    std::unique_ptr<Network> own_;
};

}  // namespace caribou
