// Which behaviors may be activated, and which gate refused.
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/behavior_rig.hpp"
#include "behavior/fact_condition.hpp"

namespace caribou::behavior {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

/// A gate whose answers are set by the test; records the calls it receives.
class ScriptedGate final : public RequirementGate {
public:
    Wants may_want(const Behavior&, std::span<Behavior* const>) override { return wants; }
    Wants may_activate(const Behavior& behavior, std::span<Behavior* const> stack) override {
        heard.push_back(fmt::format("activate {} above {}", behavior.id(), stack.size()));
        return activates;
    }
    void on_deactivated(const Behavior& behavior) override { heard.push_back("deactivate " + behavior.id()); }

    Wants wants = true;
    Wants activates = true;
    Trace heard;
};

/// base -> a; base delegates to a when it can.
class Gates : public testing::Test {
protected:
    Gates() {
        base.delegates = {&a};
        base.in_update = [&](Control& control) {
            if (control.can_delegate()) ask_and_delegate(control, a);
        };
    }
    bool a_is_active() const { return a.state() == Behavior::State::active; }

    Rig rig;
    Scripted& base = rig.make("base");
    Scripted& a = rig.make("a");
};

TEST_F(Gates, SayWhichOfThemSaidNo) {
    (void)a.wants_when(std::make_unique<FactCondition>("hungry"));
    a.in_wants = [](const View&) { return Wants::no("shy"); };
    rig.start("base");
    EXPECT_EQ(rig.runner->why_not(a), Wants(Gate::condition, "hungry"));
    EXPECT_THAT(rig.trace, testing::Not(Contains("ask a"))) << "its own answer does not matter any more";
    rig.facts.set("hungry", true);
    rig.tick();
    EXPECT_EQ(rig.runner->why_not(a), Wants(Gate::behavior, "shy"));
    rig.facts.set("charging", true);
    rig.tick();
    EXPECT_EQ(rig.runner->why_not(a), Wants(Gate::circumstances, "charging"));
}

TEST_F(Gates, ReportARefusalOnlyWhenItChanges) {
    bool willing = false;
    a.in_wants = [&](const View&) { return Wants(willing); };
    rig.start("base");
    EXPECT_THAT(rig.changes, Contains("a refused by behavior"));
    rig.tick();
    EXPECT_THAT(rig.changes, IsEmpty());
    willing = true;
    rig.tick();
    EXPECT_THAT(rig.changes, ElementsAre("a wants to be activated", "a pushed by base"));
}

TEST_F(Gates, AnswerForWhoIsOutOfScopeNotAskedOrActive) {
    base.in_update = {};
    rig.make_runner();
    EXPECT_EQ(rig.runner->why_not(a).gate(), Gate::scope);
    (void)rig.runner->set_base("base");
    rig.tick();
    EXPECT_EQ(rig.runner->why_not(a), Wants(Gate::scope, "its parent has not considered it yet"));
    EXPECT_EQ(rig.runner->why_not(base).gate(), Gate::active);
}

struct Circumstance {
    std::string_view fact;
    bool OperationModifiers::* allowed;
};
class GateOfCircumstances : public testing::TestWithParam<Circumstance> {};

TEST_P(GateOfCircumstances, IsOpenedByItsModifier) {
    for (const bool allowed : {false, true}) {
        Rig rig;
        auto& base = rig.make("base");
        OperationModifiers modifiers;
        modifiers.*GetParam().allowed = allowed;
        (void)base.declare(modifiers);
        rig.facts.set(GetParam().fact, true);
        rig.start("base");
        EXPECT_EQ(base.state() == Behavior::State::active, allowed) << GetParam().fact;
        rig.facts.clear(GetParam().fact);
        rig.tick();
        EXPECT_EQ(base.state(), Behavior::State::active);
        rig.facts.set(GetParam().fact, true);
        rig.tick();
        EXPECT_EQ(base.state(), Behavior::State::active) << "it is looked at only when it is asked";
    }
}

INSTANTIATE_TEST_SUITE_P(All, GateOfCircumstances,
                         testing::Values(Circumstance{fact_charging, &OperationModifiers::allowed_charging},
                                         Circumstance{fact_off_ground,
                                                      &OperationModifiers::allowed_off_ground},
                                         Circumstance{fact_carrying, &OperationModifiers::allowed_carrying}));

TEST_F(Gates, LetARequirementSayNoWithAReason) {
    ScriptedGate gate;
    rig.make_runner();
    rig.runner->add_gate(gate);
    gate.wants = Wants::no("no cube is connected");
    (void)rig.runner->set_base("base");
    rig.tick();
    EXPECT_EQ(rig.runner->why_not(base), Wants(Gate::requirement, "no cube is connected"));
    EXPECT_THAT(gate.heard, IsEmpty());
    gate.wants = true;
    rig.tick();
    EXPECT_THAT(gate.heard, ElementsAre("activate base above 0", "activate a above 1"));
    base.in_update = [](Control& control) { (void)control.cancel_delegates(); };
    rig.tick();
    EXPECT_EQ(gate.heard.back(), "deactivate a");
    rig.runner.reset();
    EXPECT_EQ(gate.heard.back(), "deactivate base");
}

TEST_F(Gates, LetARequirementRefuseAtTheLastMoment) {
    ScriptedGate first;
    ScriptedGate second;
    rig.make_runner();
    rig.runner->add_gate(first);
    rig.runner->add_gate(second);
    second.activates = Wants::no("the link was lost");
    (void)rig.runner->set_base("base");
    rig.tick();
    EXPECT_THAT(rig.stack(), IsEmpty());
    EXPECT_THAT(rig.changes, Contains("the runner broke the rule requirement: the link was lost"));
    EXPECT_THAT(first.heard, ElementsAre("activate base above 0", "deactivate base"))
        << "it holds nothing now";
    EXPECT_THAT(second.heard, ElementsAre("activate base above 0"));
    rig.runner->remove_gate(second);
    rig.tick();
    EXPECT_THAT(rig.stack(), ElementsAre("base", "a"));
    rig.runner.reset();
}

TEST_F(Gates, TellAGateOnlyOfWhatItAdmitted) {
    rig.start("base");
    ScriptedGate late;
    rig.runner->add_gate(late);
    rig.runner.reset();
    EXPECT_THAT(late.heard, IsEmpty());
}

TEST_F(Gates, WantAnAncestorThatEnsuresWhatIsNeeded) {
    (void)a.declare({.needs_ensured = {"cube"}});
    rig.start("base");
    EXPECT_EQ(rig.runner->why_not(a), Wants(Gate::ensured, "cube"));
    EXPECT_THAT(rig.broken, ElementsAre(Rule::ensured));
    rig.tick();
    EXPECT_THAT(rig.broken, IsEmpty()) << "reported once, not in every tick";

    Rig other;
    auto& ancestor = other.make("ancestor");
    auto& needy = other.make("needy");
    (void)ancestor.declare({.ensures = {"cube"}});
    (void)needy.declare({.needs_ensured = {"cube"}});
    ancestor.delegates = {&needy};
    ancestor.in_activated = [&](Control& control) { EXPECT_TRUE(ask_and_delegate(control, needy)); };
    other.start("ancestor");
    EXPECT_THAT(other.stack(), ElementsAre("ancestor", "needy"));
}

}  // namespace
}  // namespace caribou::behavior
