#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "bus/limits.hpp"

namespace caribou::app {

/// Sets one of the broker's limits from `name=value`: `backlog_max=64MiB`, `stall_limit=20s`.
Result<void> set_limit(bus::BrokerLimits& limits, std::string_view assignment);

/// Returns all limits with their defaults, for --help.
std::string describe_limits(const bus::BrokerLimits& limits);

}  // namespace caribou::app
