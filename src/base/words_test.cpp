#include "base/words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace caribou {
namespace {

using testing::ElementsAre;

TEST(Words, AreSplitAtSpacesAndTabs) {
    EXPECT_THAT(words_in("  poke\tDEPTH  3 "), ElementsAre("poke", "DEPTH", "3"));
    EXPECT_THAT(words_in(" \t"), ElementsAre());
}

TEST(Words, InQuotesContainBlanksAndEscapes) {
    EXPECT_THAT(words_in(R"(poke A "two words")"), ElementsAre("poke", "A", "two words"));
    EXPECT_THAT(words_in(R"("a \"b\" \\ c" "")"), ElementsAre(R"(a "b" \ c)", ""));
    EXPECT_THAT(words_in(R"("C:\temp dir" x)"), ElementsAre(R"(C:\temp dir)", "x"));
    EXPECT_THAT(words_in(R"("not closed \")"), ElementsAre(R"(not closed ")"));
}

TEST(Words, OutsideOfQuotesKeepTheirBackslashesAndQuotes) {
    EXPECT_THAT(words_in(R"(C:\temp\\x 5"x)"), ElementsAre(R"(C:\temp\\x)", R"(5"x)"));
}

TEST(Words, OfListsAreTrimmedAndNotEmpty) {
    EXPECT_THAT(parts_of_lists({"pA, pB*", "", " ,pC,"}), ElementsAre("pA", "pB*", "pC"));
}

TEST(Words, AreQuotedOnlyWhereNeeded) {
    EXPECT_EQ(quoted_word("a=b'c"), "a=b'c");
    EXPECT_EQ(quoted_word(""), R"("")");
    EXPECT_EQ(quoted_word(R"(a "b" \)"), R"("a \"b\" \\")");
}

RC_GTEST_PROP(Words, AreReadBackAsTheyWereQuoted, (const std::vector<std::string>& words)) {
    std::string line;
    for (const std::string& word : words) line += quoted_word(word) + ' ';
    RC_ASSERT(words_in(line) == words);
}

/// The generator above seldom makes neighbors of the characters that matter.
RC_GTEST_PROP(Words, OfQuotesBackslashesAndBlanksAreReadBack, ()) {
    const auto word = *rc::gen::container<std::string>(rc::gen::element('"', '\\', ' ', '\t', '\n', 'a'));
    RC_ASSERT(words_in(quoted_word(word)) == std::vector<std::string>{word});
}

}  // namespace
}  // namespace caribou
