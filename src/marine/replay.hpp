#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "data/marine_event.hpp"
#include "marine/view_config.hpp"

namespace caribou::marine {

/// A log of one community.
struct ReplayLog {
    std::string community;  ///< for shapes; logs do not contain it
    std::string_view text;
};

struct ReplayEvents {
    std::vector<data::MarineEvent> events{};
    double start = 0;  ///< UNIX seconds
    double end = 0;
    std::uint64_t refused = 0;  ///< values that cannot be shown
};

/// Reads what the marine view shows from the logs of one or more vehicles, by time. Shapes that end by
/// themselves keep their durations.
Result<ReplayEvents> replay_events(const std::vector<ReplayLog>& logs, const ViewConfig& config);

}  // namespace caribou::marine
