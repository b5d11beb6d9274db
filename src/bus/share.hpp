#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/result.hpp"
#include "bus/client.hpp"
#include "bus/share_plan.hpp"
#include "loop/loop.hpp"
#include "loop/network.hpp"

namespace caribou::bus {

/// Copies selected variables between communities: one client in each, and the rule that a value only leaves
/// the community in which it was written. This prevents loops, no matter how many communities share with each
/// other. Values are copied with their time stamps, so that nothing is copied between communities with
/// different time warps.
class Share {
public:
    struct RouteStats {
        std::uint64_t copied = 0;
        std::uint64_t lost = 0;  ///< dropped because the outbox for an unreachable broker was full
    };
    struct Stats {
        std::vector<RouteStats> routes{};  ///< of each route of the plan
        std::uint64_t foreign = 0;         ///< not copied because they came from another community
    };

    /// All arguments must outlive the share.
    Share(Loop& loop, Network& network, SharePlan plan, Log& log);
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    Result<void> start();
    /// Passes waiting values to the network, for at most `limit`, and stops.
    void finish(Duration limit);
    bool stopped() const;
    const Stats& stats() const { return stats_; }
    /// Returns one line per route: communities, variable, new name and counts.
    std::vector<std::string> report() const;

private:
    struct Peer;

    void on_connected(Peer& peer);
    /// Returns whether values may be copied between two communities: not if their names are the same, or
    /// their time warps differ.
    static bool compatible(const Peer& from, const Peer& to);
    void report_other_warps(const Peer& peer);
    void carry(const Peer& from, const wire::MessageView& message);
    static Result<Pushed> notify(Client& client, std::string_view key, const wire::MessageView& message);

    SharePlan plan_;
    Log& log_;
    Stats stats_;
    std::vector<std::unique_ptr<Peer>> peers_;
};

}  // namespace caribou::bus
