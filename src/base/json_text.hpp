#pragma once

#include <string>
#include <string_view>

namespace caribou {

struct JsonNode;

/// A text as JSON: in quotes, with escapes where they are needed. What is no UTF-8 becomes U+FFFD, so
/// that whatever comes from outside ends in JSON.
std::string json_quoted(std::string_view text);
/// A number with so many digits behind the point; `null` if it is none, which JSON has no word for.
std::string json_fixed(double number, int digits);
/// What was read, written again without anything that JSON does not know.
std::string json_of(const JsonNode& node);

}  // namespace caribou
