#include "adapters/dds/repeat_filter.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace caribou {
namespace {

using namespace std::chrono_literals;

TEST(RepeatFilter, LetsOneOfEachKindPassPerMinute) {
    // What CycloneDDS wrote while a cable was out for 21 s.
    RepeatFilter filter;
    Instant now{5s};
    std::size_t passed = 0;
    for (int i = 0; i < 1321; ++i, now += 16ms)
        if (filter.pass(now, fmt::format("write to udp/10.77.0.2:{} failed with retcode -1", 7400 + i % 100)))
            ++passed;
    EXPECT_EQ(passed, 1U);
    EXPECT_EQ(filter.pass(now, "another message"), "another message");
    EXPECT_EQ(
        filter.pass(now + 1min, "write to udp/10.77.0.2:7400 failed with retcode -1"),
        "write to udp/10.77.0.2:7400 failed with retcode -1 (1320 more of the kind since the last one)");
}

TEST(RepeatFilter, RemembersALimitedNumberOfKinds) {
    RepeatFilter filter;
    std::size_t passed = 0;
    for (std::size_t i = 0; i < 1000; ++i)
        if (filter.pass(Instant{1s}, std::string(i + 1, 'x'))) ++passed;
    EXPECT_EQ(passed, RepeatFilter::max_kinds + 1);
}

}  // namespace
}  // namespace caribou
