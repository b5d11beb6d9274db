#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "link/secret_key.hpp"

namespace caribou::link {

/// Returns a key as text for people to read aloud: 15 words of three syllables, including a checksum
/// (docs/formats/key-file.md).
std::string words_of(const SecretKey& key);

/// Returns the key encoded by the words. Case, line ends and hyphens are ignored. The error names the number
/// of the wrong word where it can be determined; it never contains a correct word.
Result<SecretKey> key_from_words(std::string_view words);

inline constexpr std::size_t words_in_key = 15;

}  // namespace caribou::link
