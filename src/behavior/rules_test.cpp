// Breaks every rule of the engine on purpose: it is reported with the behavior and the tick and refused, and
// the engine continues in a legal state.
#include <memory>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/behavior_rig.hpp"
#include "behavior/fact_condition.hpp"
#include "behavior/lifecycle.hpp"

namespace caribou::behavior {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// base -> a, b; a -> c.
class Rules : public testing::Test {
protected:
    Rules() {
        base.delegates = {&a, &b};
        a.delegates = {&c};
    }

    Rig rig;
    Scripted& base = rig.make("base");
    Scripted& a = rig.make("a");
    Scripted& b = rig.make("b");
    Scripted& c = rig.make("c");
};

TEST_F(Rules, NameTheBehaviorTheRuleAndTheTick) {
    rig.start("base");
    rig.tick();
    base.in_update = [&](Control& control) { (void)control.delegate(a); };
    const Difference difference = rig.runner->tick(rig.now);
    EXPECT_EQ(difference.tick, 3u);
    EXPECT_THAT(difference.changes,
                Contains(Change(RuleBroken{base.number(), Rule::activate_after_yes, "a"})));
}

TEST_F(Rules, RefuseToActivateWhoWasNotAsked) {
    base.in_update = [&](Control& control) {
        const auto refused = control.delegate(a);
        ASSERT_FALSE(refused);
        EXPECT_THAT(refused.error().message, HasSubstr("asked and agreed in the same tick"));
    };
    rig.start("base");
    EXPECT_THAT(rig.stack(), ElementsAre("base"));
    EXPECT_EQ(c.state(), Behavior::State::out_of_scope) << "nothing is half-done";
}

TEST_F(Rules, RefuseToActivateWhoSaidYesInAnEarlierTick) {
    base.in_update = [&](Control& control) { EXPECT_TRUE(control.wants(a)); };
    rig.start("base");
    base.in_update = [&](Control& control) { EXPECT_FALSE(control.delegate(a)); };
    rig.tick();
    EXPECT_THAT(rig.broken, ElementsAre(Rule::activate_after_yes));
}

TEST_F(Rules, RefuseToActivateWhoSaidNo) {
    a.in_wants = [](const View&) { return Wants::no("tired"); };
    base.in_update = [&](Control& control) {
        EXPECT_EQ(control.wants(a), Wants(Gate::behavior, "tired"));
        EXPECT_FALSE(control.delegate(a));
    };
    rig.start("base");
    EXPECT_THAT(rig.broken, ElementsAre(Rule::activate_after_yes));
}

TEST_F(Rules, CountTheLastAnswerOfATick) {
    bool willing = true;
    a.in_wants = [&](const View&) { return Wants(willing); };
    base.in_update = [&](Control& control) {
        EXPECT_TRUE(control.wants(a));
        willing = false;
        EXPECT_FALSE(control.wants(a));
        EXPECT_FALSE(control.delegate(a));
    };
    rig.start("base");
}

TEST_F(Rules, RefuseToAskWhoIsOutOfScope) {
    base.in_update = [&](Control& control) { EXPECT_EQ(control.wants(c).gate(), Gate::scope); };
    rig.start("base");
    EXPECT_THAT(rig.broken, ElementsAre(Rule::ask_in_scope));
    EXPECT_THAT(rig.trace, Each(testing::Ne("ask c")));
}

TEST_F(Rules, AnswerThatAnActiveOneIsActiveAndRefuseToActivateItTwice) {
    a.delegates = {&base};
    a.in_activated = [&](Control& control) {
        EXPECT_EQ(control.wants(base).gate(), Gate::active);
        EXPECT_FALSE(control.delegate(base));
    };
    base.in_update = [&](Control& control) { ask_and_delegate(control, a); };
    rig.start("base");
    EXPECT_THAT(rig.broken, ElementsAre(Rule::activate_inactive));
    EXPECT_THAT(rig.stack(), ElementsAre("base", "a"));
}

TEST_F(Rules, RefuseADelegateThatWasNotDeclared) {
    base.in_update = [&](Control& control) { EXPECT_FALSE(control.delegate(c)); };
    rig.start("base");
    EXPECT_THAT(rig.broken, ElementsAre(Rule::declared_delegate));
}

TEST_F(Rules, LeaveOutDelegatesOfAnotherTreeAndTheBehaviorItself) {
    Trace elsewhere;
    Scripted stranger("stranger", elsewhere);
    base.delegates = {&a, &stranger, &base, &a};
    rig.start("base");
    EXPECT_THAT(rig.broken, ElementsAre(Rule::own_tree, Rule::own_tree));
    EXPECT_THAT(rig.stack(), ElementsAre("base"));
    EXPECT_THAT(elsewhere, IsEmpty());
    base.in_update = [&](Control& control) { EXPECT_FALSE(control.wants(stranger)); };
    rig.tick();
    EXPECT_THAT(rig.broken, ElementsAre(Rule::own_tree));
}

TEST_F(Rules, RefuseToDelegateWithoutControl) {
    base.in_update = [&](Control& control) {
        if (control.can_delegate()) ask_and_delegate(control, a);
        EXPECT_TRUE(control.is_control_delegated());
        EXPECT_TRUE(control.wants(b));
        EXPECT_FALSE(control.delegate(b)) << "it has delegated";
    };
    b.in_update = [&](Control& control) {
        EXPECT_FALSE(control.can_delegate());
        EXPECT_FALSE(control.delegate(a)) << "it is only in scope";
    };
    rig.start("base");
    EXPECT_THAT(rig.broken, ElementsAre(Rule::in_control, Rule::in_control));
    EXPECT_THAT(rig.stack(), ElementsAre("base", "a"));
}

TEST_F(Rules, RefuseToCancelOrFinishWithoutBeingActive) {
    b.in_update = [](Control& control) {
        EXPECT_FALSE(control.cancel_self());
        EXPECT_FALSE(control.cancel_delegates());
        EXPECT_FALSE(control.finish(Outcome::succeeded()));
    };
    rig.start("base");
    EXPECT_THAT(rig.broken, ElementsAre(Rule::active_to_act, Rule::active_to_act, Rule::active_to_act));
}

TEST_F(Rules, RefuseEverythingInsideDeactivated) {
    base.in_update = [&](Control& control) {
        if (control.can_delegate()) ask_and_delegate(control, a);
    };
    rig.start("base");
    a.in_deactivated = [&](const View& view) {
        EXPECT_FALSE(view.can_delegate());
        EXPECT_FALSE(a.control->wants(c));
        EXPECT_FALSE(a.control->delegate(c));
        EXPECT_FALSE(a.control->cancel_self());
        EXPECT_FALSE(base.control->cancel_self());
        EXPECT_FALSE(base.control->cancel_delegates());
    };
    base.in_update = [](Control& control) { (void)control.cancel_delegates(); };
    rig.tick();
    EXPECT_THAT(rig.broken, testing::SizeIs(5));
    EXPECT_THAT(rig.broken, Each(Rule::not_while_changing));
    EXPECT_THAT(rig.stack(), ElementsAre("base"));
}

TEST_F(Rules, RefuseEverythingInsideScopeHooks) {
    a.in_entered = [&](Scope&) { EXPECT_FALSE(base.control && base.control->cancel_self()); };
    c.in_entered = [&](Scope&) { EXPECT_FALSE(base.control->delegate(b)); };
    base.in_update = [&](Control& control) { ask_and_delegate(control, a); };
    rig.start("base");
    EXPECT_THAT(rig.broken, ElementsAre(Rule::not_while_changing));
    EXPECT_THAT(rig.stack(), ElementsAre("base", "a"));
}

TEST_F(Rules, RefuseEverythingInsideTheQuestion) {
    a.in_wants = [&](const View& view) {
        EXPECT_FALSE(view.can_delegate());
        EXPECT_FALSE(base.control->delegate(b));
        EXPECT_FALSE(base.control->wants(b));
        EXPECT_FALSE(base.control->cancel_self());
        return Wants::yes();
    };
    base.in_update = [&](Control& control) { EXPECT_TRUE(ask_and_delegate(control, a)); };
    rig.start("base");
    EXPECT_THAT(rig.broken, ElementsAre(Rule::not_while_asked, Rule::not_while_asked, Rule::not_while_asked));
}

TEST_F(Rules, AllowDelegatingAndEndingInsideActivated) {
    a.in_activated = [&](Control& control) { EXPECT_TRUE(ask_and_delegate(control, c)); };
    c.in_activated = [&](Control& control) { EXPECT_TRUE(control.cancel_self()); };
    base.in_update = [&](Control& control) { EXPECT_TRUE(ask_and_delegate(control, a)); };
    rig.start("base");
    EXPECT_THAT(rig.broken, IsEmpty());
    EXPECT_THAT(rig.stack(), ElementsAre("base", "a"));
}

TEST_F(Rules, RefuseCallsBetweenTicks) {
    rig.start("base");
    EXPECT_FALSE(base.control->wants(a));
    EXPECT_FALSE(base.control->delegate(a));
    EXPECT_FALSE(rig.runner->cancel_self(base));
    rig.tick();
    EXPECT_THAT(rig.broken, ElementsAre(Rule::inside_tick, Rule::inside_tick, Rule::inside_tick));
    EXPECT_THAT(rig.stack(), ElementsAre("base"));
}

TEST_F(Rules, RefuseATickInsideATick) {
    base.in_update = [&](Control&) { rig.runner->tick(rig.now); };
    rig.start("base");
    EXPECT_THAT(rig.broken, ElementsAre(Rule::inside_tick));
    EXPECT_EQ(rig.runner->ticks(), 1u);
}

TEST_F(Rules, RefuseDelegationsBetweenTheAskingForAResetAndTheReset) {
    base.in_update = [&](Control& control) {
        EXPECT_TRUE(rig.runner->request_reset("test"));
        EXPECT_FALSE(control.can_delegate());
        EXPECT_TRUE(control.wants(a));
        EXPECT_FALSE(control.delegate(a));
    };
    rig.start("base");
    EXPECT_THAT(rig.broken, ElementsAre(Rule::not_while_resetting));
    base.in_update = [&](Control& control) { EXPECT_TRUE(ask_and_delegate(control, a)); };
    rig.tick();
    EXPECT_THAT(rig.stack(), ElementsAre("base", "a"));
}

TEST_F(Rules, RefuseDeclarationsAfterInit) {
    rig.start("base");
    EXPECT_FALSE(a.declare({}));
    EXPECT_FALSE(a.wants_when(std::make_unique<FactCondition>("x")));
    EXPECT_FALSE(a.cancel_when(std::make_unique<FactCondition>("x")));
    EXPECT_FALSE(a.subscribe("x"));
    rig.tick();
    EXPECT_THAT(rig.broken, testing::SizeIs(4));
    EXPECT_THAT(rig.broken, Each(Rule::declare_before_run));
}

TEST_F(Rules, RefuseAMissingCondition) {
    EXPECT_EQ(a.wants_when(nullptr).error().message, "a: wants_when needs a condition");
    EXPECT_EQ(a.cancel_when(nullptr).error().message, "a: cancel_when needs a condition");
}

TEST_F(Rules, LetAnAnswerServeForOneActivation) {
    a.in_activated = [](Control& control) { (void)control.cancel_self(); };
    base.in_update = [&](Control& control) {
        if (!control.is_active()) return;
        EXPECT_TRUE(ask_and_delegate(control, a));
        EXPECT_FALSE(control.delegate(a)) << "it was asked once, and has ended since";
        base.in_update = nullptr;
    };
    rig.start("base");
    EXPECT_THAT(rig.broken, ElementsAre(Rule::activate_after_yes));
}

TEST_F(Rules, RefuseAStackBeyondItsLimit) {
    base.in_update = [&](Control& control) {
        if (control.can_delegate()) ask_and_delegate(control, a);
    };
    a.in_update = [&](Control& control) {
        EXPECT_TRUE(control.wants(c));
        EXPECT_FALSE(control.delegate(c));
    };
    rig.start("base", {.limits = {.depth = 2}});
    EXPECT_THAT(rig.broken, ElementsAre(Rule::depth_limit));
}

TEST_F(Rules, EndALoopOfDelegationsInsideOneTick) {
    // b, a, c, b, a, c … : too long a period for the cycle guard.
    base.delegates = {&a, &b, &c};
    int round = 0;
    for (Scripted* one : {&a, &b, &c})
        one->in_activated = [](Control& control) { (void)control.cancel_self(); };
    const auto next = [&](Control& control) {
        Scripted* row[] = {&a, &b, &c};
        ask_and_delegate(control, *row[round++ % 3]);
    };
    base.in_update = next;
    base.in_returned = [&](Control& control, const Outcome&) { next(control); };
    rig.start("base", {.limits = {.delegations_per_tick = 10}});
    EXPECT_THAT(rig.broken, ElementsAre(Rule::delegation_limit));
    EXPECT_EQ(round, 10) << "the base is the first of ten";
    rig.tick();
    EXPECT_EQ(round, 21);
}

TEST_F(Rules, TurnAwayEventsBeyondTheirLimit) {
    rig.make_runner({.limits = {.events = 2}});
    for (int i = 0; i < 1000; ++i) rig.runner->post("tap", 1.0);
    rig.tick();
    EXPECT_THAT(rig.broken, ElementsAre(Rule::event_limit)) << "one report for all of them";
    for (int i = 0; i < 3; ++i) rig.runner->post("tap", 1.0);
    rig.tick();
    EXPECT_THAT(rig.broken, testing::SizeIs(testing::Ge(1U)));
}

TEST_F(Rules, RefuseABaseWhileAnotherIsActiveAndOneThatIsNotThere) {
    rig.start("base");
    EXPECT_EQ(rig.runner->set_base("a").error().code, Code::wrong_state);
    EXPECT_EQ(rig.runner->set_base("zebra").error().code, Code::not_found);
    EXPECT_EQ(rig.runner->request_reset("x", "zebra").error().code, Code::not_found);
    rig.tick();
    EXPECT_THAT(rig.stack(), ElementsAre("base"));
}

/// Calls that no behavior can make, made directly.
class LifecycleRules : public testing::Test {
protected:
    LifecycleRules() {
        journal.begin();
        state.tick = 1;
        state.phase = Phase::open;
    }
    std::vector<Rule> broken() const {
        std::vector<Rule> rules;
        for (const Change& change : journal.changes())
            if (const auto* rule = std::get_if<RuleBroken>(&change)) rules.push_back(rule->rule);
        return rules;
    }

    Facts facts;
    TickState state{.facts = facts, .random = Random(1)};
    Journal journal;
    SensorModes sensors;
    Events events{10};
    Lifecycle lifecycle{state, journal, sensors, events, 256};
    Trace trace;
    Scripted a{"a", trace};
};

TEST_F(LifecycleRules, InitialiseOnce) {
    EXPECT_TRUE(lifecycle.init(a));
    EXPECT_FALSE(lifecycle.init(a));
    EXPECT_THAT(broken(), ElementsAre(Rule::init_once));
    EXPECT_THAT(trace, ElementsAre("init a"));
}

TEST_F(LifecycleRules, EnterOnlyAfterInitAndLeaveOnlyWhatWasEntered) {
    EXPECT_FALSE(lifecycle.enter_scope(a));
    lifecycle.init(a);
    EXPECT_FALSE(lifecycle.leave_scope(a));
    EXPECT_TRUE(lifecycle.enter_scope(a));
    EXPECT_TRUE(lifecycle.leave_scope(a));
    EXPECT_FALSE(lifecycle.leave_scope(a));
    EXPECT_THAT(broken(),
                ElementsAre(Rule::scope_after_init, Rule::leave_what_entered, Rule::leave_what_entered));
    EXPECT_THAT(trace, ElementsAre("init a", "enter a", "leave a"));
}

TEST_F(LifecycleRules, ActivateOnlyInScopeAndOnce) {
    lifecycle.init(a);
    EXPECT_FALSE(lifecycle.activate(a, 0));
    lifecycle.enter_scope(a);
    EXPECT_FALSE(lifecycle.activate(a, 0));
    lifecycle.answer(a, Wants::yes());
    EXPECT_TRUE(lifecycle.activate(a, 0));
    EXPECT_FALSE(lifecycle.activate(a, 0));
    EXPECT_FALSE(lifecycle.leave_scope(a)) << "while active";
    EXPECT_THAT(broken(), ElementsAre(Rule::activate_in_scope, Rule::activate_after_yes,
                                      Rule::activate_inactive, Rule::leave_what_entered));
}

TEST_F(LifecycleRules, UpdateOnlyInScopeAndOncePerTick) {
    lifecycle.init(a);
    EXPECT_EQ(lifecycle.take_turn(a), Turn::refused);
    lifecycle.enter_scope(a);
    EXPECT_EQ(lifecycle.take_turn(a), Turn::updated);
    EXPECT_EQ(lifecycle.take_turn(a), Turn::refused);
    ++state.tick;
    EXPECT_EQ(lifecycle.take_turn(a), Turn::updated);
    EXPECT_THAT(broken(), ElementsAre(Rule::update_in_scope, Rule::update_once));
}

TEST_F(LifecycleRules, DeactivateOnlyWhatIsActiveAndAskOnlyWhatIsInScope) {
    lifecycle.init(a);
    EXPECT_FALSE(lifecycle.ask_itself(a));
    lifecycle.enter_scope(a);
    EXPECT_FALSE(lifecycle.deactivate(a, Outcome::succeeded()));
    EXPECT_THAT(broken(), ElementsAre(Rule::ask_in_scope, Rule::deactivate_active));
}

}  // namespace
}  // namespace caribou::behavior
