#include "sim/bus_world.hpp"

#include <charconv>
#include <cstdlib>
#include <iostream>

#include <gtest/gtest.h>

namespace caribou::sim {
namespace {

/// A thousand simulations, in groups of a hundred that can run in parallel. A failure names its seed:
/// `CARIBOU_SEED=<seed> sim_test --gtest_filter=SimBusSeed.IsToldInFull` prints that run step by step.
class SimBus : public testing::TestWithParam<std::uint64_t> {};

TEST_P(SimBus, ThousandSeeds) {
    constexpr std::uint64_t seeds = 100;
    BusReport sum;
    for (std::uint64_t seed = GetParam() * seeds; seed < (GetParam() + 1) * seeds; ++seed) {
        const BusReport report = BusWorld(seed).run();
        EXPECT_TRUE(report.violations.empty()) << to_string(report);
        sum.writes += report.writes;
        sum.told += report.told;
        sum.connections += report.connections;
        sum.cuts += report.cuts;
        sum.thinned += report.thinned;
        sum.excused += report.excused;
    }
    // A run without activity would prove nothing.
    EXPECT_GT(sum.writes, 100 * seeds);
    EXPECT_GT(sum.told, 100 * seeds);
    EXPECT_GT(sum.connections, 3 * seeds);
    EXPECT_GT(sum.cuts, seeds / 2);
    EXPECT_GT(sum.thinned, seeds);
    EXPECT_LT(sum.excused, seeds / 2);
}

INSTANTIATE_TEST_SUITE_P(Hundred, SimBus, testing::Range<std::uint64_t>(0, 10));

TEST(SimBusSeed, IsToldInFull) {
    // Set CARIBOU_SEED to the seed of a run to be printed step by step.
    const char* const text = std::getenv("CARIBOU_SEED");
    std::uint64_t seed = 0;
    const std::string_view digits(text ? text : "1");
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seed);
    ASSERT_TRUE(error == std::errc{} && end == digits.data() + digits.size())
        << "CARIBOU_SEED is `" << digits << "`, not a number";
    const BusReport report =
        BusWorld(seed, {.trace = [](std::string_view line) { std::cout << line << "\n"; }}).run();
    std::cout << to_string(report);
    EXPECT_TRUE(report.violations.empty());
}

TEST(BusWorld, RepeatsItselfFromItsSeed) {
    std::vector<std::string> told[2];
    for (auto& lines : told)
        static_cast<void>(
            BusWorld(7, {.trace = [&](std::string_view line) { lines.emplace_back(line); }}).run());
    EXPECT_GT(told[0].size(), 60u);
    EXPECT_EQ(told[0], told[1]);
    EXPECT_EQ(BusWorld(7).run(), BusWorld(7).run());
    EXPECT_NE(BusWorld(7).run(), BusWorld(8).run());
}

TEST(BusReport, NamesSeedAndStep) {
    const BusReport report{.seed = 42, .steps = 17, .violations = {"c1 received X"}};
    EXPECT_TRUE(to_string(report).contains("seed 42, step 17: c1 received X"));
}

}  // namespace
}  // namespace caribou::sim
