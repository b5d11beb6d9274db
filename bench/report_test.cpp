#include <gtest/gtest.h>

#include <array>

#include "metrics.hpp"
#include "report.hpp"

namespace caribou::bench {
namespace {

TEST(Report, NamesAFigureThatMissesItsLimit) {
    EXPECT_EQ(miss_of({.metric = "tick_us", .value = 20, .unit = "us", .at_most = 20}), "");
    EXPECT_EQ(miss_of({.metric = "tick_us", .value = 20.5, .unit = "us", .at_most = 20}),
              "tick_us: expected at most 20 us, found 20.5");
    EXPECT_EQ(miss_of({.metric = "speedup", .value = 500, .unit = "x", .at_least = 500}), "");
    EXPECT_EQ(miss_of({.metric = "speedup", .value = 499, .unit = "x", .at_least = 500}),
              "speedup: expected at least 500 x, found 499");
    EXPECT_EQ(miss_of({.metric = "speedup", .value = 1e9, .unit = "x"}), "");
}

TEST(ReportDeathTest, EndsTheBenchmarkThatMissesALimitAfterAllItsFigures) {
    constexpr std::array metrics{
        Metric{"slow", [](const Report& to, const Effort&) { to.add({"slow", 3, "us", {}, 2}); }},
        Metric{"good", [](const Report& to, const Effort&) { to.add({"good", 1, "us", {}, 2}); }}};
    std::array words{const_cast<char*>("bench")};
    EXPECT_EXIT(measure("b", metrics, {}, words), testing::ExitedWithCode(1),
                "bench b: good\nbench: slow: expected at most 2 us, found 3");
    std::array only_good{const_cast<char*>("bench"), const_cast<char*>("good")};
    measure("b", metrics, {}, only_good);
}

}  // namespace
}  // namespace caribou::bench
