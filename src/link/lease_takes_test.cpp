#include "link/lease_takes.hpp"

#include <gtest/gtest.h>

namespace caribou::link {
namespace {

using namespace std::chrono_literals;

constexpr Instant first_take = Instant{} + 1h;

TEST(LeaseTakes, AreLimitedPerKeyWhateverTheName) {
    LeaseTakes takes;
    EXPECT_TRUE(takes.take("token 1", "eve#1", "ann#2", first_take));
    EXPECT_FALSE(takes.take("token 1", "eve#1", "bob#3", first_take + 1s));
    EXPECT_FALSE(takes.take("token 1", "adam#4", "bob#3", first_take + 2s)) << "under another name";
    EXPECT_TRUE(takes.take("token 2", "bob#3", "ann#2", first_take + 2s)) << "with another key";
    EXPECT_TRUE(takes.take("token 1", "eve#1", "bob#3", first_take + 5s));
}

TEST(LeaseTakes, LetTheOneWhoLostItTakeItBackOnce) {
    LeaseTakes takes;
    EXPECT_TRUE(takes.take("token", "eve#1", "ann#2", first_take));
    EXPECT_TRUE(takes.take("token", "ann#2", "eve#1", first_take + 1s));
    EXPECT_FALSE(takes.take("token", "eve#1", "ann#2", first_take + 2s))
        << "it was not taken from eve, but back";
    EXPECT_FALSE(takes.take("token", "adam#3", "ann#2", first_take + 2s));
    EXPECT_FALSE(takes.take("token", "ann#2", "eve#1", first_take + 3s)) << "once";
}

TEST(LeaseTakes, CountForTheOneWhoLostItIfTheKeysDiffer) {
    LeaseTakes takes;
    EXPECT_TRUE(takes.take("key of eve", "eve#1", "ann#2", first_take));
    EXPECT_TRUE(takes.take("key of ann", "ann#2", "eve#1", first_take + 1s));
    EXPECT_FALSE(takes.take("key of eve", "eve#1", "ann#2", first_take + 2s));
    EXPECT_TRUE(takes.take("key of bob", "bob#3", "ann#2", first_take + 3s));
    EXPECT_FALSE(takes.take("key of ann", "ann#2", "bob#3", first_take + 4s)) << "once per 5 s";
    EXPECT_TRUE(takes.take("key of ann", "ann#2", "bob#3", first_take + 6s));
}

}  // namespace
}  // namespace caribou::link
