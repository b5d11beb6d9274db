#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "bus/mission.hpp"
#include "loop/address.hpp"
#include "loop/time.hpp"

namespace caribou::bus {

/// One community that takes part: where its broker is, and what the plan calls it.
struct SharePeer {
    std::string name{};
    Address broker{};

    friend bool operator==(const SharePeer&, const SharePeer&) = default;
};

/// What goes one way.
struct ShareRoute {
    std::size_t from = 0;  ///< among the peers
    std::size_t to = 0;
    std::string variable{};  ///< a name, or a pattern with `*` and `?`
    std::string as{};        ///< its name over there; `*` stands for what the one `*` of the pattern matched
    Duration interval{};     ///< at least, between two values

    friend bool operator==(const ShareRoute&, const ShareRoute&) = default;
};

struct SharePlan {
    std::string client_name = "pShare";
    std::vector<SharePeer> peers{};
    std::vector<ShareRoute> routes{};
};

/// Reads `[[community]]` and `[[share]]` (docs/share.md). The error is everything that is wrong, a
/// line each.
Result<SharePlan> plan_share(const Mission& mission);

/// What a variable is called over there; empty if the route does not carry it.
std::string name_over_there(const ShareRoute& route, std::string_view variable);

}  // namespace caribou::bus
