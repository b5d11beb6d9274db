#pragma once

#include <expected>
#include <string_view>

#include "base/json_node.hpp"

namespace caribou {

/// Parses a TOML text into the same nodes as JSON, in source order: a table becomes an object, an array a
/// list. Dates and times, which JSON does not have, become null nodes that keep their text. Returns the first
/// fault if the text is malformed or exceeds a limit. Never throws.
std::expected<JsonNode, JsonFault> read_toml(std::string_view text, const JsonLimits& limits = {});

}  // namespace caribou
