#include "behavior/facts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::behavior {
namespace {

TEST(Facts, AreUnknownUntilSetAndAfterBeingCleared) {
    Facts facts;
    EXPECT_EQ(facts.find("battery"), nullptr);
    facts.set("battery", 50.0);
    EXPECT_EQ(*facts.find("battery"), Value(50.0));
    facts.clear("battery");
    facts.clear("never heard of");
    EXPECT_EQ(facts.find("battery"), nullptr);
}

TEST(Facts, HoldOnlyIfTrue) {
    Facts facts;
    facts.set("yes", true);
    facts.set("no", false);
    facts.set("one", 1.0);
    EXPECT_TRUE(facts.holds("yes"));
    EXPECT_FALSE(facts.holds("no"));
    EXPECT_FALSE(facts.holds("one"));
    EXPECT_FALSE(facts.holds("unknown"));
}

TEST(Facts, KeepTheNumberOfANameThatIsNotKnownYet) {
    Facts facts;
    const Facts::Number number = facts.number_of("later");
    EXPECT_EQ(facts.find(number), nullptr);
    facts.set("sooner", 1.0);
    facts.set("later", 2.0);
    EXPECT_EQ(*facts.find(number), Value(2.0));
    EXPECT_EQ(facts.number_of("later"), number);
    EXPECT_THAT(facts.names(), testing::ElementsAre("later", "sooner"));
}

TEST(Value, ReadsAsPeopleWriteIt) {
    EXPECT_EQ(to_string(Value(true)), "true");
    EXPECT_EQ(to_string(Value(3.5)), "3.5");
    EXPECT_EQ(to_string(Value(std::string("dock"))), "dock");
}

}  // namespace
}  // namespace caribou::behavior
