#include "wire/alog_merge.hpp"

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace caribou::wire {
namespace {

using testing::HasSubstr;

TEST(AlogMerge, OrdersTheValuesOfAllLogsByTheirAbsoluteTimes) {
    auto merge = AlogMerge::open({"%% LOGSTART 1000\n0.5 X a 1\n20 X a 2\n", "%% LOGSTART 1010\n1 Y b 3\n"});
    ASSERT_TRUE(merge);
    EXPECT_EQ(merge->log_start(), 1000);
    std::vector<std::pair<std::size_t, double>> all;
    while (const auto value = merge->next()) all.emplace_back(value->log, value->time);
    EXPECT_THAT(all, testing::ElementsAre(testing::Pair(0u, 1000.5), testing::Pair(1u, 1011.0),
                                          testing::Pair(0u, 1020.0)));
}

TEST(AlogMerge, NeedsTheStartOfEachLog) {
    EXPECT_THAT(AlogMerge::open({"%% LOGSTART 1000\n0.5 X a 1\n", "1 Y b 3\n"}).error().message,
                HasSubstr("log 2 has no LOGSTART"));
    EXPECT_EQ(AlogMerge::open({"", ""}).error().code, Code::not_found);
}

TEST(AlogMerge, SortsWhatIsNotSortedInALog) {
    auto merge =
        AlogMerge::open({"%% LOGSTART 1000\n1 A p 1\n5 B p 2\n2 C p 3\n5 D p 4\n2 E p 5\n9 F p 6\n5 G p 7\n",
                         "%% LOGSTART 1000\n3 H p 1\n4 I p 2\n"});
    ASSERT_TRUE(merge);
    std::string names;
    while (const auto value = merge->next()) names += value->entry.variable;
    EXPECT_EQ(names, "ACEHIBDGF") << "values of one time keep the order of their log";
}

/// Merging logs gives every value once, sorted, also if they are not sorted.
RC_GTEST_PROP(AlogMerge, GivesEveryValueOnceInOrder, ()) {
    std::vector<std::string> texts;
    std::size_t count = 0;
    for (int log = *rc::gen::inRange(1, 5); log > 0; --log) {
        const auto times = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 1000));
        std::string text = "%% LOGSTART " + std::to_string(1000 + *rc::gen::inRange(0, 100)) + "\n";
        for (const int time : times) text += std::to_string(time) + " X a 1\n";
        count += times.size();
        texts.push_back(text);
    }
    auto merge = AlogMerge::open({texts.begin(), texts.end()});
    RC_ASSERT(merge.has_value());
    double last = 0;
    while (const auto value = merge->next()) {
        RC_ASSERT(value->time >= last);
        last = value->time;
        RC_ASSERT(count-- > 0);
    }
    RC_ASSERT(count == 0);
}

}  // namespace
}  // namespace caribou::wire
