// Actions, alone, combined, and owned by a behavior.
#include <memory>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/behavior_rig.hpp"
#include "behavior/parallel_action.hpp"
#include "behavior/sequential_action.hpp"
#include "behavior/wait_action.hpp"

namespace caribou::behavior {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

/// An action controlled by the test that records all calls.
class ScriptedAction final : public Action {
public:
    ScriptedAction(std::string name, Trace& trace) : name_(std::move(name)), trace_(trace) {}
    std::string_view name() const override { return name_; }
    void start(Instant) override {
        trace_.push_back("start " + name_);
        if (throws_in_start) throw std::runtime_error("bang");
    }
    std::optional<Outcome> poll(Instant) override {
        trace_.push_back("poll " + name_);
        if (throws_in_poll) throw std::runtime_error("bang");
        return outcome;
    }
    void cancel() override { trace_.push_back("cancel " + name_); }

    std::optional<Outcome> outcome{};
    bool throws_in_start = false;
    bool throws_in_poll = false;

private:
    std::string name_;
    Trace& trace_;
};

class CompoundAction : public testing::Test {
protected:
    std::vector<std::unique_ptr<Action>> parts() {
        std::vector<std::unique_ptr<Action>> made;
        for (ScriptedAction** one : {&a, &b}) {
            auto action = std::make_unique<ScriptedAction>(one == &a ? "a" : "b", trace);
            *one = action.get();
            made.push_back(std::move(action));
        }
        return made;
    }
    Trace trace;
    ScriptedAction* a = nullptr;
    ScriptedAction* b = nullptr;
};

TEST_F(CompoundAction, SequentialStartsTheNextWhenTheLastSucceeded) {
    SequentialAction both(parts());
    both.start({});
    EXPECT_FALSE(both.poll({}));
    a->outcome = Outcome::succeeded();
    EXPECT_FALSE(both.poll({}));
    EXPECT_FALSE(both.poll({}));
    b->outcome = Outcome::succeeded();
    EXPECT_EQ(both.poll({}), Outcome::succeeded());
    EXPECT_THAT(trace, ElementsAre("start a", "poll a", "poll a", "start b", "poll b", "poll b"));
}

TEST_F(CompoundAction, SequentialEndsWithTheFirstThatDoesNotSucceed) {
    SequentialAction both(parts());
    both.start({});
    a->outcome = Outcome::failed("no");
    EXPECT_EQ(both.poll({}), Outcome::failed("no"));
    EXPECT_THAT(trace, ElementsAre("start a", "poll a"));
}

TEST_F(CompoundAction, SequentialCancelsItsCurrentPartAndCanStartAnew) {
    SequentialAction both(parts());
    both.start({});
    a->outcome = Outcome::succeeded();
    (void)both.poll({});
    both.cancel();
    both.start({});
    EXPECT_THAT(trace, ElementsAre("start a", "poll a", "start b", "cancel b", "start a"));
}

TEST_F(CompoundAction, ParallelSucceedsWhenAllHave) {
    ParallelAction both(parts());
    both.start({});
    a->outcome = Outcome::succeeded();
    EXPECT_FALSE(both.poll({}));
    b->outcome = Outcome::succeeded();
    EXPECT_EQ(both.poll({}), Outcome::succeeded());
    EXPECT_THAT(trace, ElementsAre("start a", "start b", "poll a", "poll b", "poll b"));
}

TEST_F(CompoundAction, ParallelEndsWithTheFirstFailureAndCancelsTheRest) {
    ParallelAction both(parts());
    both.start({});
    a->outcome = Outcome::failed("no");
    EXPECT_EQ(both.poll({}), Outcome::failed("no"));
    EXPECT_THAT(trace, ElementsAre("start a", "start b", "poll a", "poll b", "cancel b"));
}

TEST_F(CompoundAction, ParallelCancelsOnlyWhatStillRuns) {
    ParallelAction both(parts());
    both.start({});
    a->outcome = Outcome::succeeded();
    (void)both.poll({});
    both.cancel();
    EXPECT_THAT(trace, ElementsAre("start a", "start b", "poll a", "poll b", "cancel b"));
}

TEST_F(CompoundAction, ParallelSucceedsWithTheFirstSuccessIfOneIsEnough) {
    ParallelAction either(parts(), {.success_count = 1, .failure_count = 0});
    either.start({});
    a->outcome = Outcome::failed("no");
    EXPECT_FALSE(either.poll({}));
    b->outcome = Outcome::succeeded();
    EXPECT_EQ(either.poll({}), Outcome::succeeded());
}

TEST_F(CompoundAction, ParallelCancelsTheRestWhenEnoughSucceeded) {
    ParallelAction either(parts(), {.success_count = 1});
    either.start({});
    a->outcome = Outcome::succeeded();
    EXPECT_EQ(either.poll({}), Outcome::succeeded());
    EXPECT_THAT(trace, ElementsAre("start a", "start b", "poll a", "poll b", "cancel b"));
}

TEST_F(CompoundAction, ParallelFailsWhenTooFewSucceeded) {
    ParallelAction both(parts(), {.success_count = 2, .failure_count = 2});
    both.start({});
    a->outcome = Outcome::failed("no");
    b->outcome = Outcome::succeeded();
    EXPECT_EQ(both.poll({}), Outcome::failed("1 of 2 succeeded, 2 were needed"));
}

TEST(EmptyCompound, SucceedsAtItsFirstPoll) {
    SequentialAction none_in_a_row({});
    none_in_a_row.start({});
    EXPECT_EQ(none_in_a_row.poll({}), Outcome::succeeded());
    ParallelAction none_at_once({});
    none_at_once.start({});
    EXPECT_EQ(none_at_once.poll({}), Outcome::succeeded());
}

TEST(WaitAction, SucceedsWhenItsTimeHasCome) {
    WaitAction wait(10ms);
    wait.start(Instant(5ms));
    EXPECT_FALSE(wait.poll(Instant(14ms)));
    EXPECT_EQ(wait.poll(Instant(15ms)), Outcome::succeeded());
}

/// base -> a, b.
class OwnedAction : public testing::Test {
protected:
    OwnedAction() { base.delegates = {&a, &b}; }
    ~OwnedAction() override { rig.runner.reset(); }  // cancels the action, which must still exist
    void start_in(Scripted& by, Action& what) {
        by.in_update = [&](Control& control) {
            if (!control.can_delegate()) return;
            by.in_update = {};
            EXPECT_TRUE(control.delegate(
                what, [&](Control&, const Outcome& outcome) { came_back = to_string(outcome); }));
        };
    }

    Rig rig;
    Scripted& base = rig.make("base");
    Scripted& a = rig.make("a");
    Scripted& b = rig.make("b");
    ScriptedAction action{"drive", rig.trace};
    std::string came_back;
};

TEST_F(OwnedAction, IsPolledFirstInEachLaterTickAndHandedToItsOwner) {
    start_in(base, action);
    rig.start("base");
    EXPECT_THAT(rig.changes, Contains("base started drive"));
    EXPECT_TRUE(rig.runner->is_control_delegated(base));
    rig.tick();
    EXPECT_THAT(rig.trace, ElementsAre("poll drive", "update base", "update a", "update b"));
    action.outcome = Outcome::succeeded();
    rig.tick();
    EXPECT_THAT(rig.trace, ElementsAre("poll drive", "return base", "update base", "update a", "update b"));
    EXPECT_EQ(came_back, "succeeded");
    EXPECT_FALSE(rig.runner->is_control_delegated(base));
    rig.tick();
    EXPECT_EQ(rig.trace.front(), "update base") << "it is polled no more";
}

TEST_F(OwnedAction, OfOneBehaviorNeverMakesAnotherLookDelegated) {
    base.in_update = [&](Control& control) {
        if (control.can_delegate()) ask_and_delegate(control, a);
    };
    start_in(a, action);
    rig.start("base");
    EXPECT_TRUE(rig.runner->is_control_delegated(a));
    EXPECT_FALSE(rig.runner->is_control_delegated(b));
    base.in_update = [](Control& control) {
        (void)control.cancel_delegates();
        EXPECT_FALSE(control.is_control_delegated());
        EXPECT_TRUE(control.can_delegate());
    };
    rig.tick();
    EXPECT_FALSE(rig.runner->is_control_delegated(a));
}

TEST_F(OwnedAction, ForbidsToDelegateFurther) {
    start_in(base, action);
    rig.start("base");
    base.in_update = [&](Control& control) {
        EXPECT_TRUE(control.wants(a));
        EXPECT_FALSE(control.delegate(a));
        EXPECT_FALSE(control.delegate(action));
    };
    rig.tick();
    EXPECT_THAT(rig.broken, ElementsAre(Rule::in_control, Rule::in_control));
}

TEST_F(OwnedAction, IsCancelledInTheTickInWhichItsOwnerIs) {
    base.in_update = [&](Control& control) {
        if (control.can_delegate()) ask_and_delegate(control, a);
    };
    start_in(a, action);
    rig.start("base");
    base.in_update = [](Control& control) { (void)control.cancel_delegates(); };
    rig.tick();
    EXPECT_THAT(rig.trace, ElementsAre("poll drive", "update base", "cancel drive", "deactivate a",
                                       "update a", "update b"));
    EXPECT_EQ(came_back, "");
}

TEST_F(OwnedAction, IsCancelledByItsOwner) {
    start_in(base, action);
    rig.start("base");
    base.in_update = [](Control& control) {
        (void)control.cancel_delegates(Callback::fires);
        EXPECT_TRUE(control.can_delegate());
    };
    rig.tick();
    EXPECT_EQ(came_back, "cancelled");
    EXPECT_EQ(std::ranges::count(rig.trace, "cancel drive"), 1);
}

TEST_F(OwnedAction, ThatThrowsInStartIsRefused) {
    action.throws_in_start = true;
    base.in_update = [&](Control& control) {
        EXPECT_EQ(control.delegate(action).error().message, "an action's start threw: bang");
        EXPECT_TRUE(control.can_delegate());
    };
    rig.start("base");
    EXPECT_THAT(rig.trace, Contains("cancel drive"));
    EXPECT_THAT(rig.stack(), ElementsAre("base"));
}

TEST_F(OwnedAction, ThatThrowsInPollHasFailed) {
    start_in(base, action);
    rig.start("base");
    action.throws_in_poll = true;
    rig.tick();
    EXPECT_EQ(came_back, "failed: an action's poll threw: bang");
    EXPECT_THAT(rig.stack(), ElementsAre("base"));
}

TEST_F(OwnedAction, MayBelongToTheEngine) {
    base.in_update = [&](Control& control) {
        if (control.can_delegate()) (void)control.delegate(std::make_unique<WaitAction>(20ms));
    };
    rig.start("base");
    rig.tick();
    EXPECT_TRUE(rig.runner->is_control_delegated(base));
    base.in_update = {};
    rig.tick();
    EXPECT_FALSE(rig.runner->is_control_delegated(base));
}

}  // namespace
}  // namespace caribou::behavior
