#include "base/suggestion.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace caribou {
namespace {

const std::vector<std::string> words{"queue", "repeat", "scoring"};

TEST(Suggestion, NamesTheWordThatWasMeant) {
    EXPECT_EQ(instead_of("qeue", words), "; did you mean `queue`?");
}

TEST(Suggestion, ListsWhatThereIsWhenNothingIsNear) {
    EXPECT_EQ(instead_of("elephant", words), "; there are `queue`, `repeat` and `scoring`");
    EXPECT_EQ(instead_of("elephant", std::vector<std::string>{"base"}), "; there is `base`");
}

TEST(Suggestion, SaysNothingWhenThereIsTooMuchOrNothing) {
    EXPECT_EQ(instead_of("elephant", {}), "");
    EXPECT_EQ(instead_of("elephant", std::vector<std::string>(9, "word")), "");
}

TEST(Suggestion, JoinsWordsAsPeopleDo) {
    EXPECT_EQ(listed({}), "");
    EXPECT_EQ(listed(words, "or"), "`queue`, `repeat` or `scoring`");
}

}  // namespace
}  // namespace caribou
