// Outcomes, and when the callback of a delegation is called.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/behavior_rig.hpp"

namespace caribou::behavior {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

/// base -> a, b; a -> c.
class Results : public testing::Test {
protected:
    Results() {
        base.delegates = {&a, &b};
        a.delegates = {&c};
    }
    OnReturn note(const std::string& name) {
        return [this, name](Control&, const Outcome& outcome) {
            fired.push_back(fmt::format("{} {} in {}", name, to_string(outcome), rig.runner->ticks()));
        };
    }
    /// Runs `what` in the next update only.
    void once(Scripted& by, std::function<void(Control&)> what) {
        by.in_update = [&by, what = std::move(what)](Control& control) {
            by.in_update = {};
            what(control);
        };
    }
    void start_with_a_and_c() {
        rig.start("base");
        once(base, [&](Control& control) { ask_and_delegate(control, a, note("a")); });
        once(a, [&](Control& control) { ask_and_delegate(control, c, note("c")); });
        rig.tick();
        EXPECT_THAT(rig.stack(), ElementsAre("base", "a", "c"));
    }

    Rig rig;
    Scripted& base = rig.make("base");
    Scripted& a = rig.make("a");
    Scripted& b = rig.make("b");
    Scripted& c = rig.make("c");
    std::vector<std::string> fired;
};

TEST_F(Results, CallbackFiresOnceInTheTickInWhichControlReturns) {
    start_with_a_and_c();
    rig.tick();
    EXPECT_THAT(fired, IsEmpty());
    once(c, [](Control& control) { (void)control.finish(Outcome::succeeded()); });
    rig.tick();
    EXPECT_THAT(fired, ElementsAre("c succeeded in 4"));
    rig.tick();
    EXPECT_THAT(fired, testing::SizeIs(1));
}

TEST_F(Results, CallbackTellsWhyADelegateFailed) {
    start_with_a_and_c();
    once(c, [](Control& control) { (void)control.finish(Outcome::failed("wheel blocked")); });
    rig.tick();
    EXPECT_THAT(fired, ElementsAre("c failed: wheel blocked in 3"));
    EXPECT_THAT(rig.changes, testing::Contains("c popped, failed: wheel blocked"));
}

TEST_F(Results, CallbackFiresBeforeTheHook) {
    start_with_a_and_c();
    a.in_returned = [&](Control&, const Outcome&) { fired.push_back("hook"); };
    once(c, [](Control& control) { (void)control.finish(Outcome::succeeded()); });
    rig.tick();
    EXPECT_THAT(fired, ElementsAre("c succeeded in 3", "hook"));
}

TEST_F(Results, CallbackThatDelegatesAgainKeepsTheHookSilent) {
    rig.start("base");
    once(base, [&](Control& control) {
        ask_and_delegate(control, a,
                         [&](Control& again, const Outcome&) { ask_and_delegate(again, b, note("b")); });
    });
    once(a, [](Control& control) { (void)control.finish(Outcome::succeeded()); });
    rig.tick();
    EXPECT_THAT(rig.stack(), ElementsAre("base", "b"));
    EXPECT_THAT(rig.trace, testing::Not(testing::Contains("return base")));
}

TEST_F(Results, CancelSelfFiresNoCallback) {
    start_with_a_and_c();
    once(c, [](Control& control) { (void)control.cancel_self(); });
    rig.tick();
    EXPECT_THAT(fired, IsEmpty());
    EXPECT_THAT(rig.trace, testing::Contains("return a")) << "but control returns in this tick";
    once(a, [&](Control& control) { ask_and_delegate(control, c, note("c")); });
    rig.tick();
    once(a, [](Control& control) { (void)control.cancel_self(); });
    rig.tick();
    EXPECT_THAT(fired, IsEmpty()) << "neither its own nor its delegator's";
}

TEST_F(Results, CancelDelegatesSaysWhetherTheCallbackFires) {
    start_with_a_and_c();
    once(a, [](Control& control) { EXPECT_TRUE(control.cancel_delegates()); });
    rig.tick();
    EXPECT_THAT(fired, IsEmpty());
    once(a, [&](Control& control) {
        EXPECT_TRUE(ask_and_delegate(control, c, note("c")));
        EXPECT_TRUE(control.cancel_delegates(Callback::fires));
        EXPECT_TRUE(control.can_delegate());
    });
    rig.tick();
    EXPECT_THAT(fired, ElementsAre("c cancelled in 4"));
}

TEST_F(Results, CancelDelegatesFiresOnlyTheCallersCallback) {
    start_with_a_and_c();
    once(base, [](Control& control) { (void)control.cancel_delegates(Callback::fires); });
    rig.tick();
    EXPECT_THAT(fired, ElementsAre("a cancelled in 3")) << "a itself was deactivated before c's could fire";
    EXPECT_THAT(rig.trace, testing::Not(testing::Contains("return base"))) << "it knows: it did it";
}

TEST_F(Results, CallbackNeverFiresForAnOlderDelegate) {
    rig.start("base");
    once(base, [&](Control& control) {
        EXPECT_TRUE(ask_and_delegate(control, a, note("a")));  // ends inside its activation
        EXPECT_FALSE(control.is_control_delegated());
        EXPECT_TRUE(ask_and_delegate(control, b, note("b")));
    });
    a.in_activated = [](Control& control) { (void)control.finish(Outcome::succeeded()); };
    rig.tick();
    EXPECT_THAT(fired, IsEmpty());
    once(b, [](Control& control) { (void)control.finish(Outcome::succeeded()); });
    rig.tick();
    EXPECT_THAT(fired, ElementsAre("b succeeded in 3"));
}

TEST_F(Results, CallbackNeverFiresAfterTheDelegatorWasDeactivated) {
    rig.start("base");
    once(base, [&](Control& control) { ask_and_delegate(control, a, note("a")); });
    once(a, [&](Control& control) {
        ask_and_delegate(control, c, note("c"));  // has ended when this returns
        (void)control.finish(Outcome::succeeded());
    });
    c.in_activated = [](Control& control) { (void)control.finish(Outcome::succeeded()); };
    rig.tick();
    EXPECT_THAT(fired, ElementsAre("a succeeded in 2"));
}

TEST_F(Results, DelegateThatEndsInsideItsActivationStillReturns) {
    rig.start("base");
    once(base, [&](Control& control) { EXPECT_TRUE(ask_and_delegate(control, a, note("a"))); });
    a.in_activated = [](Control& control) { (void)control.finish(Outcome::failed("no")); };
    rig.tick();
    EXPECT_THAT(fired, ElementsAre("a failed: no in 2"));
}

TEST_F(Results, ResetFiresNoCallback) {
    start_with_a_and_c();
    (void)rig.runner->request_reset("test");
    rig.tick();
    EXPECT_THAT(fired, IsEmpty());
}

TEST_F(Results, RequestEndEmptiesTheStackAndRemovesTheBase) {
    start_with_a_and_c();
    rig.runner->request_end("enough");
    EXPECT_FALSE(rig.runner->idle());
    rig.tick();
    EXPECT_THAT(rig.stack(), IsEmpty());
    EXPECT_TRUE(rig.runner->idle());
    EXPECT_THAT(rig.changes, Contains("stack reset: enough"));
    EXPECT_EQ(base.state(), Behavior::State::out_of_scope);
    rig.runner->request_end("again");
    rig.tick();
    EXPECT_THAT(rig.changes, IsEmpty());
    ASSERT_TRUE(rig.runner->set_base("base"));
    rig.tick();
    EXPECT_THAT(rig.stack(), ElementsAre("base"));
}

TEST_F(Results, TheEndOfTheBaseIsASentence) {
    rig.start("base");
    EXPECT_EQ(rig.base_end, "");
    once(base, [](Control& control) { (void)control.finish(Outcome::failed("no map")); });
    rig.tick();
    EXPECT_EQ(rig.base_end, "base has ended, failed: no map");
    rig.tick();
    EXPECT_EQ(rig.base_end, "");
}

TEST_F(Results, AlwaysDelegatesEndsWithTheOutcomeOfItsLastDelegateInTheSameTick) {
    (void)a.declare({.always_delegates = true});
    start_with_a_and_c();
    once(c, [](Control& control) { (void)control.finish(Outcome::failed("no")); });
    rig.tick();
    EXPECT_THAT(fired, ElementsAre("c failed: no in 3", "a failed: no in 3"));
    EXPECT_THAT(rig.stack(), ElementsAre("base"));
}

TEST_F(Results, AlwaysDelegatesMayDelegateAgainInTheCallback) {
    (void)a.declare({.always_delegates = true});
    start_with_a_and_c();
    once(c, [](Control& control) { (void)control.finish(Outcome::succeeded()); });
    a.in_returned = [&](Control& control, const Outcome&) { ask_and_delegate(control, c); };
    rig.tick();
    EXPECT_THAT(rig.stack(), ElementsAre("base", "a", "c"));
}

TEST_F(Results, AlwaysDelegatesThatNeverDelegatedHasFailedAfterItsFirstUpdate) {
    (void)a.declare({.always_delegates = true});
    rig.start("base");
    once(base, [&](Control& control) { ask_and_delegate(control, a, note("a")); });
    rig.tick();
    EXPECT_THAT(fired, ElementsAre("a failed: it delegated nothing in 2"));
}

}  // namespace
}  // namespace caribou::behavior
