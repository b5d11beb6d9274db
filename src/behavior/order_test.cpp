// Every order of calls that the engine guarantees.
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/behavior_rig.hpp"

namespace caribou::behavior {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// base -> a, b; a -> c, d.
class Order : public testing::Test {
protected:
    Order() {
        base.delegates = {&a, &b};
        a.delegates = {&c, &d};
    }
    void delegate_in_update(Scripted& by, Scripted& to) {
        by.in_update = [&](Control& control) {
            if (control.can_delegate()) ask_and_delegate(control, to);
        };
    }

    Rig rig;
    Scripted& base = rig.make("base");
    Scripted& a = rig.make("a");
    Scripted& b = rig.make("b");
    Scripted& c = rig.make("c");
    Scripted& d = rig.make("d");
};

TEST_F(Order, InitialisesEachExactlyOnceInTheOrderOfDeclaration) {
    rig.make_runner();
    EXPECT_THAT(rig.trace, ElementsAre("init base", "init a", "init b", "init c", "init d"));
    (void)rig.runner->set_base("base");
    for (int i = 0; i < 3; ++i) {
        rig.tick();
        for (const std::string& call : rig.trace) EXPECT_FALSE(call.starts_with("init"));
    }
}

TEST_F(Order, BringsTheBaseIntoScopeAsksItAndPushesIt) {
    rig.start("base");
    EXPECT_THAT(rig.trace, ElementsAre("enter base", "ask base", "enter a", "enter b", "activate base",
                                       "update base", "update a", "update b"));
    EXPECT_THAT(rig.stack(), ElementsAre("base"));
    EXPECT_FALSE(rig.runner->idle());
}

TEST_F(Order, PushReadsAppendsEntersAndTellsInThisOrder) {
    rig.start("base");
    delegate_in_update(base, a);
    a.in_activated = [&](Control&) { EXPECT_THAT(rig.stack(), ElementsAre("base", "a")); };
    c.in_entered = [&](Scope&) { EXPECT_THAT(rig.stack(), ElementsAre("base", "a")); };
    rig.tick();
    EXPECT_THAT(rig.trace, ElementsAre("update base", "ask a", "enter c", "enter d", "activate a", "update a",
                                       "update b", "update c", "update d"));
}

TEST_F(Order, PopLeavesInReverseTellsAndRemovesInThisOrder) {
    rig.start("base");
    delegate_in_update(base, a);
    rig.tick();
    base.in_update = [&](Control& control) { EXPECT_TRUE(control.cancel_delegates()); };
    a.in_deactivated = [&](const View&) { EXPECT_THAT(rig.stack(), ElementsAre("base", "a")); };
    rig.tick();
    EXPECT_THAT(rig.trace,
                ElementsAre("update base", "leave d", "leave c", "deactivate a", "update a", "update b"));
    EXPECT_THAT(rig.stack(), ElementsAre("base"));
    EXPECT_EQ(a.state(), Behavior::State::in_scope) << "its own parent is still active";
}

TEST_F(Order, UpdatesWhatIsPushedDuringTheWalkInTheSameTick) {
    rig.start("base");
    delegate_in_update(base, a);
    delegate_in_update(a, c);
    rig.tick();
    EXPECT_THAT(rig.trace, ElementsAre("update base", "ask a", "enter c", "enter d", "activate a", "update a",
                                       "ask c", "activate c", "update c", "update b", "update d"));
}

TEST_F(Order, DoesNotUpdateAgainWhatWasPopped) {
    rig.start("base");
    delegate_in_update(base, a);
    delegate_in_update(a, c);
    rig.tick();
    base.in_update = {};
    a.in_update = {};
    c.in_update = [](Control& control) { (void)control.cancel_self(); };
    rig.tick();
    EXPECT_THAT(rig.trace, ElementsAre("update base", "update a", "update c", "deactivate c", "return a",
                                       "update b", "update d"));
}

TEST_F(Order, UpdatesOnceWhatIsPoppedBeforeItsTurn) {
    rig.start("base");
    delegate_in_update(base, a);
    rig.tick();
    base.in_update = [](Control& control) { (void)control.cancel_delegates(); };
    rig.tick();
    EXPECT_EQ(std::ranges::count(rig.trace, "update a"), 1);
}

TEST_F(Order, UpdatesTheScopeInTheOrderOfDeclarationNotOfListing) {
    base.delegates = {&d, &b, &a, &c};
    rig.start("base");
    EXPECT_THAT(rig.trace,
                ElementsAre("enter base", "ask base", "enter d", "enter b", "enter a", "enter c",
                            "activate base", "update base", "update a", "update b", "update c", "update d"));
}

TEST_F(Order, UpdatesOnlyNextTickWhatEntersScopeAfterTheStack) {
    rig.start("base");
    // Unusually, another behavior acts through base's control after the stack was updated.
    b.in_update = [&](Control&) { EXPECT_TRUE(ask_and_delegate(*base.control, a)); };
    rig.tick();
    EXPECT_THAT(rig.trace, ElementsAre("update base", "update a", "update b", "ask a", "enter c", "enter d",
                                       "activate a"));
    b.in_update = {};
    rig.tick();
    EXPECT_THAT(rig.trace, ElementsAre("update base", "update a", "update b", "update c", "update d"));
}

TEST_F(Order, UnwindsAChainOfEndedLevelsInOneTick) {
    rig.start("base");
    delegate_in_update(base, a);
    delegate_in_update(a, c);
    rig.tick();
    base.in_update = a.in_update = {};
    c.in_update = [](Control& control) { (void)control.finish(Outcome::succeeded()); };
    a.in_returned = [](Control& control, const Outcome& outcome) { (void)control.finish(outcome); };
    base.in_returned = [](Control& control, const Outcome& outcome) { (void)control.finish(outcome); };
    rig.tick();
    EXPECT_THAT(rig.trace, ElementsAre("update base", "update a", "update c", "deactivate c", "return a",
                                       "leave d", "leave c", "deactivate a", "return base", "leave b",
                                       "leave a", "deactivate base", "leave base"));
    EXPECT_TRUE(rig.runner->idle());
}

TEST_F(Order, LetsTheParentDelegateAgainInTheTickInWhichItRegainsControl) {
    rig.start("base");
    delegate_in_update(base, a);
    rig.tick();
    base.in_update = {};
    base.in_returned = [&](Control& control, const Outcome&) { EXPECT_TRUE(ask_and_delegate(control, b)); };
    a.in_update = [](Control& control) { (void)control.cancel_self(); };
    rig.tick();
    EXPECT_THAT(rig.trace, ElementsAre("update base", "update a", "leave d", "leave c", "deactivate a",
                                       "return base", "ask b", "activate b", "update b"));
}

TEST_F(Order, CancelSelfPopsTheDelegatesFirst) {
    rig.start("base");
    delegate_in_update(base, a);
    delegate_in_update(a, c);
    rig.tick();
    base.in_update = {};
    a.in_update = [](Control& control) { (void)control.cancel_self(); };
    rig.tick();
    EXPECT_THAT(rig.trace, ElementsAre("update base", "update a", "deactivate c", "leave d", "leave c",
                                       "deactivate a", "return base", "update b"));
}

TEST_F(Order, PoppingTheBaseEmptiesTheStackAndReportsIdle) {
    rig.start("base");
    base.in_update = [](Control& control) { (void)control.cancel_self(); };
    rig.tick();
    EXPECT_THAT(rig.stack(), IsEmpty());
    EXPECT_TRUE(rig.runner->idle());
    EXPECT_EQ(rig.changes.back(), "idle");
    rig.tick();
    EXPECT_THAT(rig.trace, IsEmpty());
    EXPECT_TRUE(rig.runner->set_base("b"));
    rig.tick();
    EXPECT_THAT(rig.stack(), ElementsAre("b"));
}

TEST_F(Order, AsksABaseThatDoesNotWantAgainInEveryTick) {
    bool willing = false;
    base.in_wants = [&](const View&) { return Wants(willing); };
    rig.start("base");
    EXPECT_THAT(rig.trace, ElementsAre("enter base", "ask base", "update base"));
    rig.tick();
    EXPECT_THAT(rig.trace, ElementsAre("ask base", "update base"));
    willing = true;
    rig.tick();
    EXPECT_THAT(rig.stack(), ElementsAre("base"));
}

TEST_F(Order, ResetsTheStackAtTheBeginningOfTheNextTick) {
    rig.start("base");
    delegate_in_update(base, a);
    rig.tick();
    base.in_update = {};
    a.in_update = [&](Control&) { EXPECT_TRUE(rig.runner->request_reset("a test", "b")); };
    rig.tick();
    EXPECT_THAT(rig.stack(), ElementsAre("base", "a")) << "not before the next tick";
    rig.tick();
    EXPECT_THAT(rig.trace,
                ElementsAre("leave d", "leave c", "deactivate a", "leave b", "leave a", "deactivate base",
                            "leave base", "enter b", "ask b", "activate b", "update b"));
    EXPECT_EQ(rig.changes.front(), "stack reset: a test");
}

TEST_F(Order, RunsScopeHooksOnlyOnTheFirstEnterAndTheLastLeave) {
    a.delegates = {&b, &c};  // b is also listed by base
    rig.start("base");
    delegate_in_update(base, a);
    rig.tick();
    EXPECT_EQ(std::ranges::count(rig.trace, "enter b"), 0);
    base.in_update = [](Control& control) { (void)control.cancel_delegates(); };
    rig.tick();
    EXPECT_EQ(std::ranges::count(rig.trace, "leave b"), 0);
    base.in_update = [](Control& control) { (void)control.cancel_self(); };
    rig.tick();
    EXPECT_EQ(std::ranges::count(rig.trace, "leave b"), 1);
}

TEST_F(Order, LeavesAloneWhatIsActiveBelowALayerThatListsIt) {
    a.delegates = {&base, &c};
    rig.start("base");
    delegate_in_update(base, a);
    rig.tick();
    base.in_update = [](Control& control) { (void)control.cancel_delegates(); };
    rig.tick();
    EXPECT_THAT(rig.trace, ElementsAre("update base", "leave c", "deactivate a", "update a", "update b"));
    EXPECT_EQ(base.state(), Behavior::State::active);
}

TEST_F(Order, FreezesTheDelegatesForAsLongAsTheBehaviorIsActive) {
    rig.start("base");
    base.delegates = {&c};
    base.in_update = [&](Control& control) {
        EXPECT_EQ(control.delegate(c).error().code, Code::refused);
        EXPECT_TRUE(ask_and_delegate(control, b)) << "listed when it was activated";
    };
    rig.tick();
    EXPECT_THAT(rig.broken, ElementsAre(Rule::declared_delegate));
    base.in_update = [](Control& control) { (void)control.cancel_self(); };
    rig.tick();
    EXPECT_THAT(rig.trace, ElementsAre("update base", "deactivate b", "leave b", "leave a", "deactivate base",
                                       "leave base"));
}

}  // namespace
}  // namespace caribou::behavior
