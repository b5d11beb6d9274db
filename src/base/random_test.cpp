#include "base/random.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace caribou {
namespace {

TEST(Random, GivesThePublishedNumbersOfSplitmix64) {
    Random random(1234567);
    EXPECT_EQ(random.next(), 6457827717110365317u);
    EXPECT_EQ(random.next(), 3203168211198807973u);
    EXPECT_EQ(random.next(), 9817491932198370423u);
}

TEST(Random, ReachesBothEndsOfARange) {
    Random random(1);
    std::vector<int> counts(3);
    for (int i = 0; i < 300; ++i) ++counts[static_cast<std::size_t>(random.between(-1, 1) + 1)];
    EXPECT_GT(*std::ranges::min_element(counts), 50);
}

TEST(Random, SpansTheWholeOfASignedNumber) {
    Random random(1);
    bool negative = false;
    bool positive = false;
    for (int i = 0; i < 100; ++i) (random.between(INT64_MIN, INT64_MAX) < 0 ? negative : positive) = true;
    EXPECT_TRUE(negative && positive);
}

TEST(Random, NeverTakesAChanceOfNoneAndAlwaysOneOfAll) {
    Random random(1);
    for (int i = 0; i < 100; ++i) {
        EXPECT_FALSE(random.chance(0));
        EXPECT_TRUE(random.chance(1));
    }
}

TEST(RandomDeathTest, RefusesAnEmptyRange) {
    EXPECT_DEATH(Random(1).below(0), "bound above 0");
    EXPECT_DEATH(Random(1).between(1, 0), "low <= high");
}

RC_GTEST_PROP(Random, IsTheSameFromTheSameSeed, (std::uint64_t seed)) {
    Random a(seed);
    Random b(seed);
    for (int i = 0; i < 10; ++i) RC_ASSERT(a.next() == b.next());
}

RC_GTEST_PROP(Random, StaysInItsRange, (std::uint64_t seed, std::int64_t a, std::int64_t b)) {
    const auto [low, high] = std::minmax(a, b);
    Random random(seed);
    for (int i = 0; i < 10; ++i) {
        const std::int64_t drawn = random.between(low, high);
        RC_ASSERT(low <= drawn);
        RC_ASSERT(drawn <= high);
    }
}

RC_GTEST_PROP(Random, StaysBelowItsBound, (std::uint64_t seed)) {
    const auto bound = *rc::gen::nonZero<std::uint64_t>();
    Random random(seed);
    for (int i = 0; i < 10; ++i) RC_ASSERT(random.below(bound) < bound);
}

RC_GTEST_PROP(Random, GivesUnitsFromZeroToBelowOne, (std::uint64_t seed)) {
    Random random(seed);
    for (int i = 0; i < 10; ++i) {
        const double unit = random.unit();
        RC_ASSERT(unit >= 0.0);
        RC_ASSERT(unit < 1.0);
    }
}

}  // namespace
}  // namespace caribou
