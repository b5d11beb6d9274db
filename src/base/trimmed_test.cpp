#include "base/trimmed.hpp"

#include <gtest/gtest.h>

namespace caribou {
namespace {

TEST(Trimmed, TakesBlanksFromBothEndsAlone) {
    EXPECT_EQ(trimmed(" \t a b\r"), "a b");
    EXPECT_EQ(trimmed("a"), "a");
    EXPECT_EQ(trimmed(" \t "), "");
    EXPECT_EQ(trimmed(""), "");
}

}  // namespace
}  // namespace caribou
