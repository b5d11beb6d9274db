#include "behavior/expression.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "behavior/engine_classes.hpp"
#include "behavior/expression_classes.hpp"
#include "behavior/tree_loader.hpp"

namespace caribou::behavior {
namespace {

class ExpressionTest : public testing::Test {
protected:
    ExpressionTest() {
        facts_.set("battery", 20.0);
        facts_.set("rounds", 3.0);
        facts_.set("charging", false);
        facts_.set("mood", std::string("good"));
    }
    /// Returns the value of the expression, or why it has none.
    std::string value(std::string_view text) const {
        const auto expression = Expression::parse(text);
        if (!expression) return fmt::format("{}: {}", expression.error().offset, expression.error().message);
        const auto result = expression->evaluate(facts_);
        return result ? to_string(*result) : "unknown";
    }
    Facts facts_;
};

TEST_F(ExpressionTest, FollowsTheUsualOrderOfOperators) {
    EXPECT_EQ(value("1 + 2 * 3"), "7");
    EXPECT_EQ(value("(1 + 2) * 3"), "9");
    EXPECT_EQ(value("10 - 4 - 3"), "3");
    EXPECT_EQ(value("12 / 4 / 3"), "1");
    EXPECT_EQ(value("-rounds + 1"), "-2");
    EXPECT_EQ(value("2*-3"), "-6");
    EXPECT_EQ(value("1 + 1 < 3 and 2 > 1 or false"), "true");
    EXPECT_EQ(value("true or false and false"), "true");
    EXPECT_EQ(value("not false and false"), "false");
    EXPECT_EQ(value("not not true"), "true");
    EXPECT_EQ(value("not 1 > 2"), "true");
}

TEST_F(ExpressionTest, ReadsFacts) {
    EXPECT_EQ(value("battery < 30 and not charging"), "true");
    EXPECT_EQ(value("battery / rounds >= 7"), "false");
    EXPECT_EQ(value("mood == 'good'"), "true");
    EXPECT_EQ(value("mood != 'bad'"), "true");
    facts_.set("bus:DEPTH", 2.0);
    EXPECT_EQ(value("bus:DEPTH*2"), "4");
    EXPECT_EQ(value("orders"), "unknown") << "a name that begins with an operator";
}

TEST_F(ExpressionTest, IsUnknownIfItDependsOnAnUnknownFact) {
    EXPECT_EQ(value("speed + 1"), "unknown");
    EXPECT_EQ(value("speed == 1"), "unknown");
    EXPECT_EQ(value("not speed"), "unknown");
    EXPECT_EQ(value("speed > 1 or true"), "true") << "one operand decides";
    EXPECT_EQ(value("false and speed > 1"), "false");
    EXPECT_EQ(value("true and speed > 1"), "unknown");
    EXPECT_EQ(value("1 / 0"), "unknown");
    EXPECT_EQ(value("1e308 * 10"), "unknown");
    EXPECT_EQ(value("mood + 1"), "unknown") << "of another type";
}

TEST_F(ExpressionTest, ReportsWhereItIsMalformed) {
    EXPECT_EQ(value(""), "0: expected a value, found the end");
    EXPECT_EQ(value("1 +"), "3: expected a value, found the end");
    EXPECT_EQ(value("1 2"), "2: expected an operator, found `2`");
    EXPECT_EQ(value("(1 + 2"), "0: `(` has no `)`");
    EXPECT_EQ(value("1 = 2"), "2: expected an operator, found `=`");
    EXPECT_EQ(value("1 < 2 < 3"), "6: expected an operator, found `<`");
    EXPECT_EQ(value("'good"), "0: a text ends with `'`");
    EXPECT_EQ(value("and 1"), "0: expected a value, found `and`");
    EXPECT_TRUE(value("inf + $").starts_with("6: an expression cannot use `$`"));
    EXPECT_EQ(value(std::string(2000, '1')), "0: an expression has at most 1000 characters");
    EXPECT_EQ(value(std::string(60, '(') + "1" + std::string(60, ')')),
              "50: an expression is nested at most 50 deep");
    EXPECT_EQ(value(std::string(60, '-') + "1"), "50: an expression is nested at most 50 deep");
}

/// Expressions in trees, for a robot with a few facts.
class ExpressionsInTrees : public testing::Test {
protected:
    ExpressionsInTrees() {
        using Type = FactDeclaration::Type;
        register_engine_classes(classes_);
        register_expressions(classes_, facts_, changes_);
        classes_.add(FactDeclaration{
            .name = "battery", .type = Type::number, .min = 0, .max = 100, .is_settable = false});
        classes_.add(FactDeclaration{.name = "charging", .is_settable = false});
        classes_.add(FactDeclaration{.name = "bus:", .is_settable = false});
    }
    std::string faults(std::string_view entry) const {
        const std::vector<TreeText> files{
            {"f", fmt::format(R"({{"base": "r", "facts": {{"rounds": 0, "mood": "good"}}, "behaviors": [
{{"id": "r", {}}}]}})",
                              entry)}};
        const auto loaded = load_tree(files, classes_);
        return loaded ? "" : to_string(loaded.error());
    }
    std::string wants(std::string_view text) const {
        return faults(fmt::format(R"("class": "idle", "wants": {{"expr": "{}"}})", text));
    }
    std::string computes(std::string_view text, std::string_view to) const {
        return faults(fmt::format(R"("class": "act", "action": {{"compute": "{}", "to": "{}"}})", text, to));
    }
    ClassRegistry classes_;
    Facts facts_;
    FactChanges changes_;
};

TEST_F(ExpressionsInTrees, AreCheckedWhenTheFileIsRead) {
    EXPECT_EQ(wants("battery < 20 and not charging"), "");
    EXPECT_EQ(wants("bus:DEPTH > 3 or bus:OPEN"), "");
    EXPECT_EQ(wants("batery < 20"),
              "f:2:49: nothing sets the fact `batery`; declare facts of your own in `facts`; did you mean "
              "`battery`?\n");
    EXPECT_EQ(wants("battery < 20 and"), "f:2:65: expected a value, found the end\n");
    EXPECT_EQ(wants("not battery"), "f:2:53: expected true or false, found a number\n");
    EXPECT_EQ(wants("mood == 3"), "f:2:57: expected a text, found a number\n");
    EXPECT_EQ(wants("battery + 1"), "f:2:49: `battery + 1` is a number; expected true or false\n");
}

TEST_F(ExpressionsInTrees, ComputeAValueThatFitsTheFact) {
    EXPECT_EQ(computes("rounds * 2 + battery", "rounds"), "");
    EXPECT_EQ(computes("rounds > 2", "rounds"),
              "f:2:51: `rounds` is a number, and `rounds > 2` is true or false\n");
    EXPECT_EQ(
        computes("3", "battery"),
        "f:2:62: `battery` is set by the robot, not by a tree; declare a fact of your own in `facts`\n");
}

TEST_F(ExpressionsInTrees, SetTheFactBeforeTheNextTick) {
    const auto action = classes_.make_action(
        {"compute", {{"compute", std::string("rounds * 2")}, {"to", std::string("rounds")}}});
    action->start({});
    EXPECT_EQ(action->poll({}), Outcome::failed("`rounds * 2` is unknown"));
    facts_.set("rounds", 4.0);
    action->start({});
    EXPECT_EQ(action->poll({}), Outcome::succeeded());
    EXPECT_EQ(*facts_.find("rounds"), Value(4.0));
    changes_.apply_to(facts_);
    EXPECT_EQ(*facts_.find("rounds"), Value(8.0));
}

}  // namespace
}  // namespace caribou::behavior
