#pragma once

#include <expected>
#include <string_view>

#include "base/json_node.hpp"

namespace caribou {

/// Reads a TOML text into the same nodes as JSON, in the order of the text: a table is an object, an array a
/// list. Dates and times, which JSON does not have, are null with their text. Never throws.
std::expected<JsonNode, JsonFault> read_toml(std::string_view text, const JsonLimits& limits = {});

}  // namespace caribou
