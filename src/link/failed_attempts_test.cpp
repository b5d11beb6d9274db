#include "link/failed_attempts.hpp"

#include <gtest/gtest.h>

namespace caribou::link {
namespace {

using namespace std::chrono_literals;

constexpr Instant start = Instant(1h);

TEST(FailedAttempts, RestAfterTooMany) {
    FailedAttempts attempts({.failures = 2, .rest = 60s});
    EXPECT_TRUE(attempts.failed("a", start));
    EXPECT_TRUE(attempts.may_try("a", start));
    EXPECT_FALSE(attempts.failed("a", start + 1s));
    EXPECT_FALSE(attempts.may_try("a", start + 60s));
    EXPECT_TRUE(attempts.may_try("b", start + 60s));
    EXPECT_TRUE(attempts.may_try("a", start + 61s));
    EXPECT_TRUE(attempts.failed("a", start + 61s)) << "a new row has begun";
}

TEST(FailedAttempts, RestEndsHoweverOftenItKnocks) {
    FailedAttempts attempts({.failures = 1, .rest = 60s});
    for (auto at = 0s; at < 60s; ++at) attempts.failed("a", start + at);
    EXPECT_TRUE(attempts.may_try("a", start + 60s));
}

TEST(FailedAttempts, AreForgottenWithSuccess) {
    FailedAttempts attempts({.failures = 1});
    attempts.failed("a", start);
    attempts.succeeded("a");
    EXPECT_TRUE(attempts.may_try("a", start));
}

TEST(FailedAttempts, OfManyAreBounded) {
    FailedAttempts attempts({.failures = 1, .remembered = 3});
    for (int i = 0; i < 10; ++i) attempts.failed(std::to_string(i), start + std::chrono::seconds(i));
    EXPECT_EQ(attempts.remembered(), 3);
    EXPECT_FALSE(attempts.may_try("9", start + 10s));
    EXPECT_TRUE(attempts.may_try("6", start + 10s)) << "the oldest went";
}

}  // namespace
}  // namespace caribou::link
