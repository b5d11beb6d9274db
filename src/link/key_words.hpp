#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "link/secret_key.hpp"

namespace caribou::link {

/// A key as people read it to each other: 15 words of three syllables, with a check inside, as
/// docs/formats/key-file.md lays them out.
std::string words_of(const SecretKey& key);

/// The key that the words stand for. Neither case, line ends nor hyphens count. The sentence says which word
/// is wrong where that can be known; it never has a word that is right.
Result<SecretKey> key_from_words(std::string_view words);

inline constexpr std::size_t words_in_key = 15;

}  // namespace caribou::link
