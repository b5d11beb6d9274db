#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "sim/tapped_network.hpp"

namespace caribou::sim {

/// Listens to the datagrams of a station whose robots have keys, and holds it to its word: it takes no
/// datagram twice, and none that no robot has sent.
class DatagramAudit final : public DatagramTap {
public:
    /// `refusals`: how many datagrams the station has turned away since it was started.
    explicit DatagramAudit(std::function<std::uint64_t()> refusals) : refusals_(std::move(refusals)) {}

    /// A robot has sent it.
    void sent(ByteView packet) { sent_.add(of(packet)); }
    /// The station is another one from now on: nobody remembers what was taken.
    void restart();
    /// Judges the last one, too. To be asked when the station is at rest.
    void look();
    /// One sentence each.
    const std::vector<std::string>& findings() const { return findings_; }

    std::vector<Bytes> on_sent(const Address&, ByteView) override { return {}; }
    void on_received(ByteView packet) override;

private:
    using Mark = std::size_t;  ///< tells packets apart
    /// The latest of them.
    class Marks {
    public:
        /// False: it is there already.
        bool add(Mark mark);
        bool contains(Mark mark) const { return known_.contains(mark); }
        void clear();

    private:
        static constexpr std::size_t most = 4096;
        std::unordered_set<Mark> known_;
        std::deque<Mark> order_;
    };
    static Mark of(ByteView packet);

    std::function<std::uint64_t()> refusals_;
    Marks sent_;
    Marks taken_;
    std::optional<Mark> received_;  ///< not judged yet
    std::uint64_t refused_before_ = 0;
    std::vector<std::string> findings_;
};

}  // namespace caribou::sim
