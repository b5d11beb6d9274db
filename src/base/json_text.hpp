#pragma once

#include <string>
#include <string_view>

namespace caribou {

struct JsonNode;

/// Returns the text as a JSON string: quoted, and escaped where needed. Each byte that is not valid UTF-8 is
/// replaced with U+FFFD, so that any input gives valid JSON.
std::string json_quoted(std::string_view text);
/// Returns the number with `digits` digits after the decimal point, or `null` if it is infinite or NaN, which
/// JSON cannot represent.
std::string json_fixed(double number, int digits);
/// Returns the node as standard JSON, without comments or extra whitespace.
std::string json_of(const JsonNode& node);

}  // namespace caribou
