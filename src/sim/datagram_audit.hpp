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

/// Observes the datagrams of a station whose robots have keys, and checks that it accepts no datagram twice,
/// and none that no robot has sent.
class DatagramAudit final : public DatagramTap {
public:
    /// `refusals` returns how many datagrams the station has rejected since its start.
    explicit DatagramAudit(std::function<std::uint64_t()> refusals) : refusals_(std::move(refusals)) {}

    /// Records a datagram sent by a robot.
    void sent(ByteView packet) { sent_.add(of(packet)); }
    /// Must be called when the station was restarted: its record of accepted datagrams is lost.
    void restart();
    /// Checks the last datagram, too. Must be called when the station is idle.
    void look();
    /// Returns the violations as sentences.
    const std::vector<std::string>& findings() const { return findings_; }

    std::vector<Bytes> on_sent(const Address&, ByteView) override { return {}; }
    void on_received(ByteView packet) override;

private:
    using Mark = std::size_t;  ///< identifies a packet
    /// The most recent marks.
    class Marks {
    public:
        /// Returns false if the mark is already present.
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
    std::optional<Mark> received_;  ///< not checked yet
    std::uint64_t refused_before_ = 0;
    std::vector<std::string> findings_;
};

}  // namespace caribou::sim
