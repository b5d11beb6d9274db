#pragma once

#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "bus/broker.hpp"

namespace caribou::app {

/// Parses `[PATTERN:]MILLISECONDS,…`; without a pattern it applies to every client.
Result<std::vector<bus::ResponsePause>> parse_response_pauses(std::string_view text);

}  // namespace caribou::app
