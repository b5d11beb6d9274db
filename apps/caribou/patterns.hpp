#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bus/client.hpp"
#include "bus/wildcard.hpp"

namespace caribou::app {

/// Subscribes to all variables that match one of the patterns; a plain name is subscribed to whether it
/// exists or not, and for all writers.
Result<void> register_patterns(bus::Client& client, const std::vector<std::string>& patterns,
                               std::string_view source = "*", Duration every = Duration::zero());

/// Returns whether one of the patterns matches.
bool matches_any(const std::vector<std::string>& patterns, std::string_view name);

}  // namespace caribou::app
