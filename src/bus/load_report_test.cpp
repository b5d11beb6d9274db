#include "bus/load_report.hpp"

#include <gtest/gtest.h>

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;

/// The request that uLoadWatch publishes (tests/golden/moos-marine/helm_strings.txt).
constexpr std::string_view captured_request = "app=pHelmIvP,thresh=1.5, duration=30";

TEST(LoadReport, MeasuresGapAndLengthWhileItIsRequested) {
    LoadReport load;
    const Instant start{1h};
    load.begin(start);
    EXPECT_FALSE(load.end(start + 100ms, 4)) << "not requested";
    load.on_request(captured_request, "pHelmIvP", start + 100ms);
    EXPECT_EQ(load.end(start + 100ms, 4), std::nullopt) << "no gap yet";
    load.begin(start + 500ms);
    const auto measured = load.end(start + 600ms, 4);
    ASSERT_TRUE(measured);
    EXPECT_DOUBLE_EQ(measured->gap, 2);
    EXPECT_DOUBLE_EQ(measured->length, 0.4);
    EXPECT_FALSE(load.end(start + 600ms, 0)) << "without a tick there is nothing to compare with";
    EXPECT_TRUE(load.end(start + 30s, 4));
    EXPECT_FALSE(load.end(start + 30100ms, 4));
}

TEST(LoadReport, ObeysRequestsForItsAppForThirtySecondsAtMost) {
    const Instant start{1h};
    const auto obeys = [&](std::string_view text, Duration after) {
        LoadReport load;
        load.begin(start);
        load.begin(start);
        load.on_request(text, "pA", start);
        return load.end(start + after, 4).has_value();
    };
    EXPECT_TRUE(obeys("app=any,duration=5", 4s));
    EXPECT_TRUE(obeys("app=all,duration=5", 4s));
    EXPECT_FALSE(obeys("app=all,duration=5", 5s));
    EXPECT_TRUE(obeys("app=pA,duration=1000", 29s));
    EXPECT_FALSE(obeys("app=pA,duration=1000", 30s));
    EXPECT_FALSE(obeys(captured_request, 1s)) << "another app";
    EXPECT_FALSE(obeys("duration=5", 1s));
    EXPECT_FALSE(obeys("app=pA", 1s));
    EXPECT_FALSE(obeys("app=pA,duration=soon", 1s));
    EXPECT_FALSE(obeys("app=pA,duration=-3", 0s));
}

}  // namespace
}  // namespace caribou::bus
