#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "bus/mission.hpp"
#include "loop/address.hpp"
#include "loop/time.hpp"

namespace caribou::bus {

/// One participating community: its broker's address and its name in the plan.
struct SharePeer {
    std::string name{};
    Address broker{};

    friend bool operator==(const SharePeer&, const SharePeer&) = default;
};

/// One direction of sharing.
struct ShareRoute {
    std::size_t from = 0;  ///< index into the peers
    std::size_t to = 0;
    std::string variable{};  ///< name or pattern with `*` and `?`
    /// name at the destination; `*` is replaced by the text that the pattern's only `*` matched
    std::string as{};
    Duration interval{};  ///< minimum between two values

    friend bool operator==(const ShareRoute&, const ShareRoute&) = default;
};

struct SharePlan {
    std::string client_name = "pShare";
    std::vector<SharePeer> peers{};
    std::vector<ShareRoute> routes{};
};

/// Reads `[[community]]` and `[[share]]` (docs/share.md). The error lists all problems, one per line.
Result<SharePlan> plan_share(const Mission& mission);

/// Returns whether a file is such a plan, and not a mission.
bool is_share_plan(const Mission& mission);

/// Returns the name of a variable at the destination; empty if the route does not carry it.
std::string name_over_there(const ShareRoute& route, std::string_view variable);

}  // namespace caribou::bus
