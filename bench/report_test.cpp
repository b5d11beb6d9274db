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

TEST(Measure, FailsIfAFigureMissesItsLimitAndMeasuresTheOthersAllTheSame) {
    constexpr std::array metrics{
        Metric{"slow", [](const Report& to, const Effort&) { to.add({"slow", 3, "us", {}, 2}); }},
        Metric{"good", [](const Report& to, const Effort&) { to.add({"good", 1, "us", {}, 2}); }}};
    std::array words{const_cast<char*>("bench")};
    testing::internal::CaptureStderr();
    EXPECT_EQ(measure("b", metrics, {}, words), 1);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "bench b: slow\nbench b: good\nbench b: slow: expected at most 2 us, found 3\n");
    std::array only_good{const_cast<char*>("bench"), const_cast<char*>("good")};
    EXPECT_EQ(measure("b", metrics, {}, only_good), 0);
}

}  // namespace
}  // namespace caribou::bench
