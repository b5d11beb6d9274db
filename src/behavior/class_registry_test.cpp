#include "behavior/class_registry.hpp"

#include <gtest/gtest.h>

#include "behavior/engine_classes.hpp"
#include "behavior/fact_condition.hpp"

namespace caribou::behavior {
namespace {

using namespace std::chrono_literals;
using Kind = Parameter::Kind;

BehaviorClass plain_class(std::string name) {
    return {.name = std::move(name), .make = [](std::string id, const Arguments&) {
                return std::make_unique<Behavior>(std::move(id));
            }};
}

TEST(ClassRegistryDeathTest, TakesNoNameTwiceAndNoneThatIsMalformed) {
    ClassRegistry registry;
    registry.add(plain_class("roll"));
    EXPECT_DEATH(registry.add(plain_class("roll")), "same name");
    EXPECT_DEATH(registry.add(plain_class("roll/2")), "letters, digits and underscores");
    EXPECT_DEATH(registry.add(plain_class("")), "letters, digits and underscores");
}

TEST(ClassRegistryDeathTest, TakesNoClassThatCannotWork) {
    ClassRegistry registry;
    EXPECT_DEATH(registry.add(BehaviorClass{.name = "roll"}), "can make its objects");
    BehaviorClass taken = plain_class("roll");
    taken.parameters = {{.name = "wants"}};
    EXPECT_DEATH(registry.add(taken), "every entry has");
    BehaviorClass childless = plain_class("roll");
    childless.max_children = 1;
    EXPECT_DEATH(registry.add(childless), "can link them");
    EXPECT_DEATH(registry.add(ConditionClass{.name = "near",
                                             .parameters = {{.name = "what", .required = true}},
                                             .make = [](const Arguments&) { return ConditionPtr(); }}),
                 "has a main one");
}

TEST(Arguments, GiveTheFallbackWhereTheFileSaysNothing) {
    const ClassRegistry registry;
    const std::vector<Parameter> declared{{.name = "speed", .kind = Kind::number, .fallback = 0.5},
                                          {.name = "rest", .kind = Kind::duration, .words = {"forever"}},
                                          {.name = "name", .kind = Kind::text}};
    const ParameterValues nothing;
    const Arguments empty(nothing, declared, registry);
    EXPECT_EQ(empty.number("speed"), 0.5);
    EXPECT_EQ(empty.duration("rest"), 0s);
    EXPECT_EQ(empty.text("name"), "");
    EXPECT_FALSE(empty.has("name"));
    EXPECT_FALSE(empty.is_word("rest", "forever"));

    const ParameterValues some{{"speed", 2.0}, {"rest", std::string("forever")}};
    const Arguments full(some, declared, registry);
    EXPECT_EQ(full.number("speed"), 2);
    EXPECT_TRUE(full.is_word("rest", "forever"));
}

TEST(ArgumentsDeathTest, BreakWhenAskedForWhatWasNotDeclared) {
    const ClassRegistry registry;
    const std::vector<Parameter> declared{{.name = "speed", .kind = Kind::number, .fallback = 0.5}};
    const ParameterValues nothing;
    const Arguments arguments(nothing, declared, registry);
    EXPECT_DEATH(arguments.number("sped"), "that it declares");
    EXPECT_DEATH(arguments.flag("speed"), "declared kind");
}

TEST(ClassRegistry, MakesNewConditionsFromAPlanEachTime) {
    ClassRegistry registry;
    register_engine_classes(registry);
    const PartPlan low{"fact", {{"fact", std::string("battery")}, {"<", 20.0}}};
    const PartPlan plan{
        "and", {{"and", std::vector<PartPlan>{low, {"not", {{"not", std::vector<PartPlan>{low}}}}}}}};
    const ConditionPtr condition = registry.make_condition(plan);
    EXPECT_EQ(condition->describe(), "(battery < 20 and not battery < 20)");
    EXPECT_NE(registry.make_condition(plan), condition);
}

}  // namespace
}  // namespace caribou::behavior
