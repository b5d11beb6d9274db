#include "link/failed_attempts.hpp"

#include <gtest/gtest.h>

namespace caribou::link {
namespace {

using namespace std::chrono_literals;

constexpr Instant start = Instant(1h);

TEST(FailedAttempts, AreReportedOncePerSeries) {
    FailedAttempts attempts({.rest = 60s});
    EXPECT_TRUE(attempts.failed("a", start));
    EXPECT_FALSE(attempts.failed("a", start + 1s));
    EXPECT_FALSE(attempts.failed("a", start + 60s));
    EXPECT_TRUE(attempts.failed("b", start + 60s));
    EXPECT_TRUE(attempts.failed("a", start + 120s)) << "a new series has begun";
}

TEST(FailedAttempts, AreForgottenWithSuccess) {
    FailedAttempts attempts;
    attempts.failed("a", start);
    attempts.succeeded("a");
    EXPECT_TRUE(attempts.failed("a", start));
}

TEST(FailedAttempts, OfManyAreBounded) {
    FailedAttempts attempts({.remembered = 3});
    for (int i = 0; i < 10; ++i) attempts.failed(std::to_string(i), start + std::chrono::seconds(i));
    EXPECT_EQ(attempts.remembered(), 3);
    EXPECT_FALSE(attempts.failed("9", start + 10s));
    EXPECT_TRUE(attempts.failed("6", start + 10s)) << "the oldest was forgotten";
}

}  // namespace
}  // namespace caribou::link
