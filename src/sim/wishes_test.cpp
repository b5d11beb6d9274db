#include "sim/wishes.hpp"

#include <gtest/gtest.h>

namespace caribou::sim {
namespace {

TEST(Wishes, FollowRegistrationsByName) {
    Wishes wishes({"X", "Y"});
    EXPECT_EQ(wishes.want("X"), Want::no);
    wishes.on_register("X");
    EXPECT_EQ(wishes.want("X"), Want::yes);
    EXPECT_EQ(wishes.want("Y"), Want::no);
    wishes.on_unregister("X");
    EXPECT_EQ(wishes.want("X"), Want::no);
    EXPECT_TRUE(wishes.has_wanted("X"));
    EXPECT_FALSE(wishes.has_wanted("Y"));
}

TEST(Wishes, FollowRegistrationsByPattern) {
    Wishes wishes({"X1", "X2", "Y"});
    wishes.on_wildcard("*", "X*");
    EXPECT_EQ(wishes.want("X1"), Want::yes);
    EXPECT_EQ(wishes.want("Y"), Want::no);
    wishes.on_wildcard_end("*", "X*");
    EXPECT_EQ(wishes.want("X1"), Want::no);
}

TEST(Wishes, DependOnTheWriterUnderAPatternForItsName) {
    Wishes wishes({"X"});
    wishes.on_wildcard("c1", "*");
    EXPECT_EQ(wishes.want("X"), Want::maybe);
    wishes.on_register("X");
    EXPECT_EQ(wishes.want("X"), Want::yes);
}

TEST(Wishes, AreUnsureWhereTheyOverlap) {
    Wishes wishes({"X", "Y"});
    wishes.on_wildcard("*", "*");
    wishes.on_unregister("X");
    EXPECT_EQ(wishes.want("X"), Want::maybe) << "a reconnect brings it back with the pattern";
    wishes.on_register("Y");
    wishes.on_wildcard_end("*", "*");
    EXPECT_EQ(wishes.want("Y"), Want::maybe) << "it went with the pattern, and comes back by name";
    EXPECT_EQ(wishes.want("X"), Want::no);
}

}  // namespace
}  // namespace caribou::sim
