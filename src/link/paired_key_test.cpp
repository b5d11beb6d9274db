#include "link/paired_key.hpp"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <test_paths.hpp>
#include "link/key_words.hpp"

namespace caribou::link {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

SecretKey counting_key() {
    std::array<std::byte, SecretKey::size> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i + 1);
    return SecretKey(bytes);
}

const PairedKey paired{"bot7", Role::drive, "2026-01-31T12:00:00Z", counting_key()};

std::string golden_key() {
    std::stringstream text;
    text << std::ifstream(tests::in_repository("tests/golden/link/bot7.key")).rdbuf();
    return text.str();
}

std::string complaint(std::string_view file_text) {
    const auto read = paired_key_from(file_text);
    return read ? "none" : read.error().message;
}

std::string with(std::string_view old, std::string_view replacement) {
    std::string text = golden_key();
    return text.replace(text.find(old), old.size(), replacement);
}

std::string words_complaint(std::string_view words) {
    const auto key = key_from_words(words);
    return key ? "none" : key.error().message;
}

TEST(PairedKey, StandsAsInTheGoldenFile) {
    EXPECT_EQ(file_text_of(paired), golden_key());
    EXPECT_EQ(paired_key_from(golden_key()), paired);
}

TEST(PairedKey, SaysWhatIsWrongWithAFile) {
    EXPECT_EQ(complaint(""), "`name` is missing");
    EXPECT_EQ(complaint("[key]\n"), "line 1: expected `caribou key 1`");
    EXPECT_EQ(complaint(with("role =", "rolle =")), "line 4: unknown field `rolle`; did you mean `role`?");
    EXPECT_EQ(complaint(with("name = bot7", "name = ../bot7")),
              "`../bot7` is not a valid name; expected 1 to 64 letters, digits, `-` or `_`");
    EXPECT_EQ(complaint(with("drive", "drives")), "the role is `observe`, `drive` or `admin`");
    EXPECT_EQ(complaint(golden_key() + "name = bot8\n"), "line 7: `name` is set twice");
    EXPECT_EQ(complaint(with("name = bot7", "bot7")), "line 3: expected `name = value`");
}

TEST(PairedKey, IsRefusedIfItsFileIsNewer) {
    const auto read = paired_key_from(with("caribou key 1", "caribou key 2"));
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, Code::refused);
    EXPECT_EQ(
        read.error().message,
        "line 1: version 2 of key files is newer than this program, which reads version 1; install a newer "
        "Caribou, or pair again");
    for (const char* line : {"caribou key 0", "caribou key 1.5", "caribou key", "caribou key x"})
        EXPECT_EQ(complaint(with("caribou key 1", line)), "line 1: expected `caribou key 1`") << line;
}

TEST(PairedKey, NeverTellsTheKeyInAComplaint) {
    const std::string text = with("key = ba", "key = da");
    EXPECT_THAT(complaint(text), HasSubstr("the key: the words do not fit together"));
    const std::string word = words_of(paired.key).substr(7, 6);
    EXPECT_THAT(complaint(text), Not(HasSubstr(word)));
}

TEST(KeyWords, AreSaidInAnyForm) {
    std::string words = words_of(paired.key);
    for (char& c : words) c = c == ' ' ? '-' : static_cast<char>(std::toupper(c));
    EXPECT_EQ(key_from_words("\n " + words + "\n\n"), paired.key);
}

TEST(KeyWords, NameTheMistypedOneWhateverTheKey) {
    for (int i = 0; i < 300; ++i) {
        std::array<std::byte, SecretKey::size> bytes{};
        bytes[0] = static_cast<std::byte>(i);
        bytes[1] = static_cast<std::byte>(i >> 8);
        std::string words = words_of(SecretKey(bytes));
        words[14] = words[14] == 'b' ? 'd' : 'b';
        const std::string complaint = words_complaint(words) + " ";
        EXPECT_THAT(complaint, AllOf(HasSubstr("look at word "), HasSubstr(" 3 "))) << i;
    }
}

TEST(KeyWords, SayWhichOneIsMistyped) {
    std::string words = words_of(paired.key);
    words[7 * 4] = words[7 * 4] == 'b' ? 'd' : 'b';
    EXPECT_EQ(words_complaint(words), "the words do not fit together; look at word 5");
    words[7 * 9] = words[7 * 9] == 'b' ? 'd' : 'b';
    EXPECT_EQ(words_complaint(words),
              "the words do not fit together; compare them and their order once more");
    EXPECT_EQ(
        words_complaint("bababa doremi"),
        "word 2 is not a word of a key: those have six letters, one of bdfghklmnprstvwz and one of aiou "
        "in turn");
    for (const char* const wrong : {"babab", "bababab", "aababa"})
        EXPECT_THAT(words_complaint("bababa " + std::string(wrong)), HasSubstr("word 2 is not a word"))
            << wrong;
    EXPECT_EQ(words_complaint("bababa"), "a key has 15 words, and here are 1");
}

RC_GTEST_PROP(KeyWords, MeanTheKeyTheyWereMadeOf, (const std::vector<std::uint8_t>& seed)) {
    std::array<std::byte, SecretKey::size> bytes{};
    for (std::size_t i = 0; i < seed.size(); ++i) bytes[i % bytes.size()] ^= static_cast<std::byte>(seed[i]);
    const SecretKey key(bytes);
    RC_ASSERT(bool(key_from_words(words_of(key)) == key));
}

}  // namespace
}  // namespace caribou::link
