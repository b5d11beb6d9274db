#include "base/nearest.hpp"

#include <gtest/gtest.h>

namespace caribou {
namespace {

const std::vector<std::string> verbs = {"db", "demo", "record", "replay", "scope"};

TEST(Nearest, FindsTheWordThatWasMeant) {
    EXPECT_EQ(nearest("scoep", verbs), "scope");
    EXPECT_EQ(nearest("recrod", verbs), "record");
    EXPECT_EQ(nearest("dmo", verbs), "demo");
    EXPECT_EQ(nearest("scope", verbs), "scope");
}

TEST(Nearest, FindsNothingWhenNothingIsNear) {
    EXPECT_EQ(nearest("launch", verbs), std::nullopt);
    EXPECT_EQ(nearest("", verbs), std::nullopt);
    EXPECT_EQ(nearest("x", {}), std::nullopt);
}

}  // namespace
}  // namespace caribou
