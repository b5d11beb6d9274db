#include "base/text_fault.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou {
namespace {

using testing::ElementsAre;

const std::vector<NamedText> files{{"a.json", "one\ntwo\n"}, {"b.json", "\n\u00e4\u00f6x"}};

TEST(FaultList, CountsLinesAndCharactersFromOne) {
    FaultList faults(files, 10);
    faults.add({0, 0}, "first");
    faults.add({0, 5}, "w");
    faults.add({0, 8}, "the end");
    faults.add({1, 5}, "after two characters of two bytes each");
    EXPECT_THAT(faults.take(),
                ElementsAre(TextFault{"a.json", 1, 1, "first"}, TextFault{"a.json", 2, 2, "w"},
                            TextFault{"a.json", 3, 1, "the end"},
                            TextFault{"b.json", 2, 3, "after two characters of two bytes each"}));
    EXPECT_TRUE(faults.empty());
}

TEST(FaultList, PutsThemInTheOrderOfTheFiles) {
    FaultList faults(files, 10);
    faults.add({1, 0}, "third");
    faults.add({0, 4}, "second");
    faults.add({0, 0}, "first");
    EXPECT_EQ(to_string(faults.take()), "a.json:1:1: first\na.json:2:1: second\nb.json:1:1: third\n");
}

TEST(FaultList, OnlyCountsWhatIsBeyondItsLimit) {
    FaultList faults(files, 2);
    for (const char* const what : {"one", "two", "three", "four", "five"}) faults.add({0, 0}, what);
    const auto all = faults.take();
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all.back().message, "3 more faults are not shown");
}

TEST(FaultList, ListsTheSameErrorAtAPlaceOnce) {
    FaultList faults(files, 10);
    faults.add({0, 0}, "wrong");
    faults.add({0, 0}, "wrong");
    faults.add({0, 4}, "wrong");
    EXPECT_EQ(faults.take().size(), 2U);
}

TEST(FaultList, NamesAPlace) { EXPECT_EQ(FaultList(files, 1).describe({0, 4}), "a.json:2:1"); }

}  // namespace
}  // namespace caribou
