#pragma once

#include <span>
#include <string>
#include <string_view>

namespace caribou {

/// The end of a sentence about a word that is not known: what was probably meant, or what there is.
/// `; did you mean `queue`?`, `; there are `a` and `b``, or nothing if there is too much to list.
std::string instead_of(std::string_view word, std::span<const std::string> known);

/// `a`, `b` and `c`, each in backticks.
std::string listed(std::span<const std::string> words, std::string_view last_joint = "and");

}  // namespace caribou
