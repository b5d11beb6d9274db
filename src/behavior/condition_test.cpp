// Conditions, alone and evaluated by the engine.
#include <limits>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "behavior/and_condition.hpp"
#include "behavior/behavior_rig.hpp"
#include "behavior/cooldown_condition.hpp"
#include "behavior/fact_condition.hpp"
#include "behavior/held_condition.hpp"
#include "behavior/not_condition.hpp"
#include "behavior/or_condition.hpp"
#include "behavior/timer_condition.hpp"

namespace caribou::behavior {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

/// Counts its calls.
class Counting final : public Condition {
public:
    explicit Counting(bool& holds) : holds_(holds) {}
    std::string describe() const override { return "counting"; }
    int started = 0;
    int evaluated = 0;
    int stopped = 0;

protected:
    void on_start(const Moment&) override { ++started; }
    bool on_evaluate(const Moment&) override { return ++evaluated, holds_; }
    void on_stop() override { ++stopped; }

private:
    bool& holds_;
};

template <class... Operands>
std::vector<ConditionPtr> list(Operands... operands) {
    std::vector<ConditionPtr> all;
    (all.push_back(std::move(operands)), ...);
    return all;
}

class Conditions : public testing::Test {
protected:
    Moment at(Duration time) const { return {.now = Instant(time), .facts = facts}; }
    ConditionPtr fact(const std::string& name) const { return std::make_unique<FactCondition>(name); }
    bool once(Condition& condition) {
        condition.start(at(0s));
        return condition.evaluate(at(0s));
    }
    Facts facts;
};

TEST_F(Conditions, CompareFactsWithValues) {
    facts.set("battery", 20.0);
    facts.set("place", std::string("dock"));
    facts.set("docked", false);
    const auto holds = [&](const std::string& name, Comparison comparison, Value value) {
        FactCondition condition(name, comparison, std::move(value));
        return once(condition);
    };
    EXPECT_TRUE(holds("battery", Comparison::less, 20.5));
    EXPECT_FALSE(holds("battery", Comparison::less, 20.0));
    EXPECT_TRUE(holds("battery", Comparison::at_most, 20.0));
    EXPECT_TRUE(holds("battery", Comparison::at_least, 20.0));
    EXPECT_FALSE(holds("battery", Comparison::greater, 20.0));
    EXPECT_TRUE(holds("place", Comparison::equal, std::string("dock")));
    EXPECT_TRUE(holds("place", Comparison::unequal, std::string("hall")));
    EXPECT_TRUE(holds("docked", Comparison::equal, false));
    EXPECT_TRUE(holds("docked", Comparison::less, true));
    EXPECT_TRUE(holds("place", Comparison::unequal, 3.0)) << "of another kind";
    EXPECT_FALSE(holds("place", Comparison::less, 3.0));
    EXPECT_FALSE(holds("unknown", Comparison::unequal, 3.0)) << "nothing is known of it";
    facts.set("battery", std::numeric_limits<double>::quiet_NaN());
    EXPECT_TRUE(holds("battery", Comparison::unequal, 1.0));
    EXPECT_FALSE(holds("battery", Comparison::at_least, 1.0));
}

TEST_F(Conditions, NameComparisonsAsPeopleWriteThem) {
    for (const auto comparison : {Comparison::equal, Comparison::unequal, Comparison::less,
                                  Comparison::at_most, Comparison::greater, Comparison::at_least})
        EXPECT_EQ(comparison_from(to_string(comparison)), comparison);
    EXPECT_EQ(comparison_from("=<"), std::nullopt);
}

TEST_F(Conditions, DescribeThemselves) {
    AndCondition both(list(std::make_unique<FactCondition>("battery", Comparison::less, 20.0),
                           std::make_unique<NotCondition>(fact("charging")),
                           std::make_unique<HeldCondition>(fact("dark"), 2s)));
    EXPECT_EQ(both.describe(), "(battery < 20 and not charging and dark for 2 s)");
    EXPECT_EQ(OrCondition(std::vector<ConditionPtr>()).describe(), "never");
    EXPECT_EQ(TimerCondition(1500ms).describe(), "after 1.5 s");
    EXPECT_EQ(CooldownCondition(fact("tap"), 3s).describe(), "tap at most every 3 s");
}

TEST_F(Conditions, BlameTheFirstOperandOfAnAndThatFails) {
    facts.set("a", true);
    AndCondition all(list(fact("a"), fact("b"), fact("c")));
    std::uint32_t next = 0;
    all.number(next);
    EXPECT_EQ(next, 4u);
    EXPECT_FALSE(once(all));
    EXPECT_EQ(all.blame().text(), "b");
    facts.set("b", true);
    facts.set("c", true);
    EXPECT_TRUE(once(all));
    EXPECT_EQ(&all.blame(), &all);
}

TEST_F(Conditions, BlameTheOperandBeforeTheTime) {
    HeldCondition dark(fact("dark"), 2s);
    std::uint32_t next = 0;
    dark.number(next);
    EXPECT_FALSE(once(dark));
    EXPECT_EQ(dark.blame().text(), "dark");
    facts.set("dark", true);
    EXPECT_FALSE(once(dark));
    EXPECT_EQ(&dark.blame(), &dark);
}

RC_GTEST_PROP(CompoundCondition, EvaluatesEveryOperandOncePerEvaluation, (std::vector<bool> values)) {
    for (const bool is_and : {true, false}) {
        std::vector<ConditionPtr> operands;
        std::vector<Counting*> counting;
        const auto storage = std::make_unique<bool[]>(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            storage[i] = values[i];
            auto operand = std::make_unique<Counting>(storage[i]);
            counting.push_back(operand.get());
            operands.push_back(std::move(operand));
        }
        const Facts facts;
        const Moment moment{.now = {}, .facts = facts};
        ConditionPtr compound;
        if (is_and)
            compound = std::make_unique<AndCondition>(std::move(operands));
        else
            compound = std::make_unique<OrCondition>(std::move(operands));
        compound->start(moment);
        const auto holding = static_cast<std::size_t>(std::ranges::count(values, true));
        for (int i = 0; i < 3; ++i)
            RC_ASSERT(compound->evaluate(moment) == (is_and ? holding == values.size() : holding > 0));
        compound->stop();
        for (const Counting* one : counting)
            RC_ASSERT(one->started == 1 && one->evaluated == 3 && one->stopped == 1);
    }
}

TEST_F(Conditions, TimerHoldsFromItsTimeOnAndBeginsAfresh) {
    TimerCondition timer(2s);
    timer.start(at(10s));
    EXPECT_FALSE(timer.evaluate(at(11s)));
    EXPECT_TRUE(timer.evaluate(at(12s)));
    timer.stop();
    timer.start(at(20s));
    EXPECT_FALSE(timer.evaluate(at(21s)));
}

TEST_F(Conditions, HeldNeedsItsOperandWithoutAGap) {
    HeldCondition held(fact("dark"), 2s);
    facts.set("dark", true);
    held.start(at(0s));
    EXPECT_FALSE(held.evaluate(at(0s)));
    EXPECT_FALSE(held.evaluate(at(1s)));
    facts.set("dark", false);
    EXPECT_FALSE(held.evaluate(at(2s)));
    facts.set("dark", true);
    EXPECT_FALSE(held.evaluate(at(3s)));
    EXPECT_TRUE(held.evaluate(at(5s)));
}

TEST_F(Conditions, CooldownBeginsWhenItIsSpent) {
    CooldownCondition rare(fact("tap"), 10s);
    facts.set("tap", true);
    rare.start(at(0s));
    EXPECT_TRUE(rare.evaluate(at(0s)));
    facts.set("tap", false);
    EXPECT_FALSE(rare.evaluate(at(1s)));
    rare.spend(at(1s));  // without effect: it does not hold
    facts.set("tap", true);
    EXPECT_TRUE(rare.evaluate(at(2s))) << "a wish costs nothing";
    rare.spend(at(2s));
    EXPECT_FALSE(rare.evaluate(at(3s)));
    rare.stop();
    rare.start(at(4s));
    EXPECT_FALSE(rare.evaluate(at(5s))) << "the cooldown outlives being live";
    EXPECT_FALSE(rare.evaluate(at(11s)));
    EXPECT_TRUE(rare.evaluate(at(12s)));
}

/// base -> a; conditions of a.
class LiveConditions : public testing::Test {
protected:
    LiveConditions() {
        base.delegates = {&a};
        auto wants_condition = std::make_unique<Counting>(wanted);
        auto cancel_condition = std::make_unique<Counting>(cancelled);
        wants = wants_condition.get();
        cancel = cancel_condition.get();
        (void)a.wants_when(std::move(wants_condition));
        (void)a.cancel_when(std::move(cancel_condition));
        base.in_update = [&](Control& control) {
            if (control.is_active() && control.can_delegate())
                ask_and_delegate(control, a,
                                 [&](Control&, const Outcome& outcome) { came_back = to_string(outcome); });
        };
    }
    bool wanted = false;
    bool cancelled = false;
    Rig rig;
    Scripted& base = rig.make("base");
    Scripted& a = rig.make("a");
    Counting* wants = nullptr;
    Counting* cancel = nullptr;
    std::string came_back;
};

TEST_F(LiveConditions, WantsIsLiveOnlyInScopeAndNotActive) {
    rig.make_runner();
    EXPECT_FALSE(wants->live());
    (void)rig.runner->set_base("base");
    rig.tick();
    EXPECT_TRUE(wants->live());
    EXPECT_FALSE(cancel->live());
    wanted = true;
    rig.tick();
    EXPECT_FALSE(wants->live());
    EXPECT_TRUE(cancel->live());
    base.in_update = [](Control& control) { (void)control.cancel_self(); };
    rig.tick();
    EXPECT_FALSE(wants->live());
    EXPECT_FALSE(cancel->live());
    EXPECT_EQ(wants->started, 2) << "again between its end and leaving scope";
}

TEST_F(LiveConditions, AreEvaluatedOncePerTickAskedOrNot) {
    rig.start("base");
    EXPECT_EQ(wants->evaluated, 1) << "asked, and then updated";
    base.in_update = [&](Control& control) {
        (void)control.wants(a);
        (void)control.wants(a);
    };
    rig.tick();
    EXPECT_EQ(wants->evaluated, 2);
    base.in_update = {};
    rig.tick();
    EXPECT_EQ(wants->evaluated, 3) << "not asked, but its state advances";
    EXPECT_EQ(cancel->evaluated, 0);
}

TEST_F(LiveConditions, CancelEndsItBeforeItsUpdateAndTheCallbackFires) {
    wanted = true;
    rig.start("base");
    EXPECT_EQ(cancel->evaluated, 1);
    cancelled = true;
    base.in_update = {};
    rig.tick();
    EXPECT_THAT(rig.trace, ElementsAre("update base", "deactivate a", "return base", "update a"));
    EXPECT_EQ(came_back, "cancelled: counting");
    EXPECT_THAT(rig.changes, Contains("a popped, cancelled: counting"));
}

TEST_F(LiveConditions, ReportChangesOfTheirAnswersOnly) {
    base.in_update = {};
    rig.start("base");
    EXPECT_THAT(rig.changes, Contains("a: counting is now false"));
    rig.tick();
    EXPECT_THAT(rig.changes, IsEmpty());
    wanted = true;
    rig.tick();
    EXPECT_THAT(rig.changes, ElementsAre("a: counting is now true"));
    EXPECT_THAT(a.conditions(), testing::SizeIs(2));
}

}  // namespace
}  // namespace caribou::behavior
