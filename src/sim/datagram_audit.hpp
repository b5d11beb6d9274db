#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/tapped_network.hpp"

namespace caribou::sim {

/// Observes the datagrams of a station whose robots have keys, and checks that it accepts no datagram twice,
/// and none that no robot has sent.
class DatagramAudit final : public DatagramTap {
public:
    /// `refusals` returns how many datagrams the station has rejected since its start.
    explicit DatagramAudit(std::function<std::uint64_t()> refusals) : refusals_(std::move(refusals)) {}

    /// Records a datagram sent by a robot. The latest ones of each robot are known, however many the others
    /// send.
    void sent(std::size_t robot, ByteView packet);
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
    static constexpr std::size_t most = 4096;
    static Mark of(ByteView packet);

    std::function<std::uint64_t()> refusals_;
    std::unordered_map<Mark, bool> known_;                    ///< whether the station has accepted it
    std::unordered_map<std::size_t, std::deque<Mark>> sent_;  ///< the latest `most`, by robot
    std::optional<Mark> received_;                            ///< not checked yet
    std::uint64_t refused_before_ = 0;
    std::vector<std::string> findings_;
};

}  // namespace caribou::sim
