#pragma once

#include <span>
#include <string>
#include <string_view>

namespace caribou {

/// Returns the end of an error message about an unknown word: the nearest match, or else the list of known
/// words. `; did you mean `queue`?`, `; there are `a` and `b``, or an empty string if there are too many to
/// list.
std::string instead_of(std::string_view word, std::span<const std::string> known);

/// Returns the words as a list, each in backticks: `a`, `b` and `c`. `last_joint` precedes the last word.
std::string listed(std::span<const std::string> words, std::string_view last_joint = "and");

}  // namespace caribou
