#include "base/limits.hpp"

#include <gtest/gtest.h>

namespace caribou {
namespace {

TEST(Limits, HaveASentenceThatNamesThem) {
    EXPECT_EQ(limit_reached("max_message", 5, 4, "bytes"), "limit max_message reached: 5 of at most 4 bytes");
}

TEST(Limits, CountInPowersOfTwo) {
    EXPECT_EQ(3_KiB, 3072u);
    EXPECT_EQ(2_MiB, 2097152u);
}

}  // namespace
}  // namespace caribou
