#include "behavior/fact_changes.hpp"

#include <gtest/gtest.h>

namespace caribou::behavior {
namespace {

TEST(FactChanges, ChangeNothingUntilTheyAreApplied) {
    Facts facts;
    FactChanges changes;
    changes.set("hungry", true);
    EXPECT_FALSE(facts.holds("hungry"));
    changes.apply_to(facts);
    EXPECT_TRUE(facts.holds("hungry"));
}

TEST(FactChanges, AddToNumbersInOrder) {
    Facts facts;
    facts.set("battery", std::string("unknown"));
    FactChanges changes;
    changes.add("battery", 5);
    changes.add("battery", 2);
    changes.apply_to(facts);
    EXPECT_EQ(*facts.find("battery"), Value(7.0));
    changes.apply_to(facts);
    EXPECT_EQ(*facts.find("battery"), Value(7.0)) << "once";
}

TEST(FactChanges, StayWithinTheDeclaredRange) {
    Facts facts;
    facts.set("rounds", 9.0);
    const FactDeclarations declared{
        {"rounds", {.name = "rounds", .type = FactDeclaration::Type::number, .min = 0, .max = 10}}};
    FactChanges changes;
    changes.add("rounds", 5);
    changes.apply_to(facts, declared);
    EXPECT_EQ(*facts.find("rounds"), Value(10.0));
    changes.add("rounds", -50);
    changes.apply_to(facts, declared);
    EXPECT_EQ(*facts.find("rounds"), Value(0.0));
}

TEST(FactChanges, AreAskedForByActions) {
    ClassRegistry registry;
    FactChanges changes;
    Facts facts;
    register_fact_actions(registry, changes);
    const auto set =
        registry.make_action({"set", {{"set", std::string("mood")}, {"to", std::string("good")}}});
    const auto add = registry.make_action({"add", {{"add", -1.0}, {"to", std::string("battery")}}});
    for (const auto& action : {set.get(), add.get()}) {
        action->start({});
        EXPECT_EQ(action->poll({}), Outcome::succeeded());
    }
    changes.apply_to(facts);
    EXPECT_EQ(*facts.find("mood"), Value(std::string("good")));
    EXPECT_EQ(*facts.find("battery"), Value(-1.0));
}

}  // namespace
}  // namespace caribou::behavior
