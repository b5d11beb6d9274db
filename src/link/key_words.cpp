#include "link/key_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace caribou::link {
namespace {

constexpr std::string_view consonants = "bdfghklmnprstvwz";  // four bits
constexpr std::string_view vowels = "aiou";                  // two bits
constexpr std::size_t letters_in_word = 6;

/// The key and a two-byte checksum, of which the last two bits are not encoded.
using Checked = std::array<std::byte, SecretKey::size + 2>;

Checked with_check(SecretKey::View key) {
    Checked all{};
    std::ranges::copy(key, all.begin());
    const SecretKey check = SecretKey(key).derive("caribou key words");
    all[SecretKey::size] = check.bytes()[0];
    all[SecretKey::size + 1] = check.bytes()[1] & std::byte{0xfc};
    return all;
}

std::string_view letters_at(std::size_t place) { return place % 2 == 0 ? consonants : vowels; }
std::size_t bits_at(std::size_t place) { return place % 2 == 0 ? 4 : 2; }

/// Returns the bytes encoded by the letters, or nullopt if a letter or the checksum is invalid.
std::optional<Checked> decoded(std::string_view letters) {
    Checked all{};
    std::size_t bit = 0;
    for (std::size_t place = 0; place < letters.size(); ++place) {
        const std::size_t value = letters_at(place).find(letters[place]);
        for (std::size_t i = bits_at(place); i-- > 0; ++bit)
            all[bit / 8] |= static_cast<std::byte>(((value >> i) & 1U) << (7 - bit % 8));
    }
    const auto key = std::span(all).first<SecretKey::size>();
    return all == with_check(key) ? std::optional(all) : std::nullopt;
}

std::vector<std::string> split(std::string_view text) {
    std::vector<std::string> words(1);
    for (const char letter : text) {
        if (std::isspace(static_cast<unsigned char>(letter)) != 0 || letter == '-') {
            if (!words.back().empty()) words.emplace_back();
        } else {
            words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
        }
    }
    if (words.back().empty()) words.pop_back();
    return words;
}

bool is_word(std::string_view word) {
    if (word.size() != letters_in_word) return false;
    for (std::size_t i = 0; i < word.size(); ++i)
        if (!letters_at(i).contains(word[i])) return false;
    return true;
}

/// Returns the words, counted from 1, in which replacing a single letter makes the checksum valid. Seldom
/// more than one: the checksum has 14 bits, and there are about 800 replacements.
std::vector<std::size_t> mistyped_words(std::string letters) {
    std::vector<std::size_t> words;
    for (std::size_t place = 0; place < letters.size(); ++place) {
        const char written = letters[place];
        for (const char other : letters_at(place)) {
            letters[place] = other;
            const std::size_t word = place / letters_in_word + 1;
            if (decoded(letters) && (words.empty() || words.back() != word)) words.push_back(word);
        }
        letters[place] = written;
    }
    return words;
}

}  // namespace

std::string words_of(const SecretKey& key) {
    const Checked all = with_check(key.bytes());
    std::string words;
    std::size_t bit = 0;
    for (std::size_t place = 0; place < words_in_key * letters_in_word; ++place) {
        if (place > 0 && place % letters_in_word == 0) words += ' ';
        std::size_t value = 0;
        for (std::size_t i = 0; i < bits_at(place); ++i, ++bit)
            value = value << 1U | (static_cast<std::size_t>(all[bit / 8]) >> (7 - bit % 8) & 1U);
        words += letters_at(place)[value];
    }
    return words;
}

Result<SecretKey> key_from_words(std::string_view words) {
    const std::vector<std::string> said = split(words);
    for (std::size_t i = 0; i < said.size(); ++i)
        if (!is_word(said[i]))
            return fail(
                Code::malformed,
                fmt::format("word {} is not a word of a key: those have six letters, one of {} and one "
                            "of {} in turn",
                            i + 1, consonants, vowels));
    if (said.size() != words_in_key)
        return fail(Code::malformed,
                    fmt::format("a key has {} words, and here are {}", words_in_key, said.size()));
    std::string letters;
    for (const std::string& word : said) letters += word;
    if (const auto all = decoded(letters)) return SecretKey(std::span(*all).first<SecretKey::size>());
    if (const auto suspects = mistyped_words(letters); !suspects.empty())
        return fail(Code::malformed, fmt::format("the words do not fit together; look at word {}",
                                                 fmt::join(suspects, " or ")));
    return fail(Code::malformed, "the words do not fit together; compare them and their order once more");
}

}  // namespace caribou::link
