#include "wire/alog_summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::wire {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(AlogSummary, CountsValuesTimesAndSources) {
    const auto summary = summarize_alog("%% LOGSTART 1800000000\n1 X a 5\n3 X b 6\n2 M a north\nnonsense\n");
    EXPECT_EQ(summary.log_start, 1'800'000'000);
    EXPECT_EQ(summary.values, 3u);
    EXPECT_EQ(summary.passed_over, 1u);
    EXPECT_EQ(summary.first, 1);
    EXPECT_EQ(summary.last, 3);
    EXPECT_THAT(
        summary.variables,
        ElementsAre(
            Pair("M",
                 AlogSummary::Variable{
                     .count = 1, .type = DataType::string, .first = 2, .last = 2, .sources = {"a"}}),
            Pair("X",
                 AlogSummary::Variable{
                     .count = 2, .type = DataType::number, .first = 1, .last = 3, .sources = {"a", "b"}})));
}

TEST(AlogSummary, IsEmptyForAnEmptyLog) {
    EXPECT_EQ(summarize_alog("").values, 0u);
    EXPECT_EQ(summarize_alog("").log_start, std::nullopt);
}

TEST(AlogCsv, QuotesWhatNeedsIt) {
    EXPECT_EQ(alog_csv_row({.time = 1.5, .variable = "X", .source = "a", .text = "5"}), "1.50000,X,a,5\n");
    EXPECT_EQ(alog_csv_row({.time = 1, .variable = "X", .source = "a", .text = "say \"a,b\""}),
              "1.00000,X,a,\"say \"\"a,b\"\"\"\n");
}

}  // namespace
}  // namespace caribou::wire
