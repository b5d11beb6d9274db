// Features that users of other engines request and do not get, one test each.
#include <memory>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/behavior_rig.hpp"
#include "behavior/queue.hpp"
#include "behavior/recorder.hpp"
#include "behavior/strict_priority.hpp"
#include "behavior/wait_action.hpp"

namespace caribou::behavior {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Field, HaltThatTakesSeveralTicksIsABehaviorInBetween) {
    Rig rig;
    auto& base = rig.make("base");
    auto& drive = rig.make("drive");
    auto& brake = rig.make("brake");
    auto& turn = rig.make("turn");
    base.delegates = {&drive, &brake, &turn};
    base.in_activated = [&](Control& control) { ask_and_delegate(control, drive); };
    brake.in_activated = [](Control& control) {
        (void)control.delegate(std::make_unique<WaitAction>(30ms),
                               [](Control& again, const Outcome& outcome) { (void)again.finish(outcome); });
    };
    rig.start("base");
    base.in_update = [&](Control& control) {
        base.in_update = {};
        (void)control.cancel_delegates();
        ask_and_delegate(control, brake,
                         [&](Control& again, const Outcome&) { ask_and_delegate(again, turn); });
    };
    std::vector<std::string> tops;
    for (int i = 0; i < 5; ++i) {
        rig.tick();
        tops.push_back(rig.stack().back());
    }
    EXPECT_THAT(tops, ElementsAre("brake", "brake", "brake", "turn", "turn"));
}

TEST(Field, HaltedAndStartingChildNeverOverlap) {
    std::set<std::string> holders;
    Rig rig;
    auto& high = rig.make("high");
    auto& low = rig.make("low");
    auto& base = rig.add<StrictPriority>("base");
    base.add(high);
    base.add(low);
    bool alarm = false;
    high.in_wants = [&](const View&) { return Wants(alarm); };
    for (Scripted* one : {&high, &low})
        one->in_activated = [&holders, one](Control& control) {
            holders.insert(one->id());
            EXPECT_EQ(holders.size(), 1u) << "the motors have two masters";
            control.keep([&holders, one] { holders.erase(one->id()); });
        };
    rig.start("base");
    alarm = true;
    rig.tick();
    EXPECT_THAT(rig.stack(), ElementsAre("base", "high"));
    EXPECT_THAT(holders, ElementsAre("high"));
}

TEST(Field, TreeCanBeChangedWhileItRuns) {
    Rig rig;
    auto& base = rig.make("base");
    auto& a = rig.make("a");
    base.delegates = {&a};
    base.in_update = [&](Control& control) { ask_and_delegate(control, a); };
    rig.start("base");
    auto tree = std::make_unique<BehaviorTree>();
    auto& grown = tree->emplace<Scripted>("base", rig.trace);
    auto& b = tree->emplace<Scripted>("b", rig.trace);
    grown.delegates = {&b};
    grown.in_update = [&](Control& control) { ask_and_delegate(control, b); };
    ASSERT_TRUE(rig.runner->request_tree(std::move(tree), "base"));
    rig.tick();
    EXPECT_THAT(rig.stack(), ElementsAre("base", "b"));
}

/// Reconstructs the stack from the differences alone.
class Follower final : public Observer {
public:
    void on_tick(const Difference& difference) override {
        ++ticks;
        for (const Change& change : difference.changes) {
            if (const auto* pushed = std::get_if<Pushed>(&change)) stack.push_back(pushed->who);
            if (std::holds_alternative<Popped>(change)) stack.pop_back();
            if (const auto* entered = std::get_if<Entered>(&change)) in_scope.insert(entered->who);
            if (const auto* left = std::get_if<Left>(&change)) in_scope.erase(left->who);
        }
    }
    int ticks = 0;
    std::vector<Who> stack;
    std::set<Who> in_scope;
};

TEST(Field, MonitorsAreFreeAndSeeATreeOfAnySize) {
    Rig rig;
    auto& base = rig.add<Queue>("base");
    for (int i = 0; i < 2'000; ++i) base.add(rig.make("b" + std::to_string(i)));
    rig.make_runner();
    Follower first;
    Follower second;
    rig.runner->add_observer(first);
    rig.runner->add_observer(second);
    (void)rig.runner->set_base("base");
    rig.tick();
    EXPECT_THAT(first.stack, ElementsAre(0u, 1u));
    EXPECT_EQ(first.in_scope.size(), 2'001u);
    rig.tick();
    EXPECT_EQ(second.ticks, 2) << "once per tick, also if nothing happened";
    EXPECT_EQ(second.stack, first.stack);
    rig.runner->remove_observer(first);
    rig.runner->remove_observer(second);
}

TEST(Field, ErrorsNameTheBehavior) {
    Rig rig;
    auto& base = rig.make("explore");
    base.in_update = [](Control&) { throw std::runtime_error("no map"); };
    rig.start("explore");
    EXPECT_THAT(rig.changes, testing::Contains("explore broke the rule no_throw: update threw: no map"));
}

TEST(Field, TimersNeedNoThreadAndFollowTheTicks) {
    Rig rig;
    auto& base = rig.make("base");
    int due = 0;
    base.in_activated = [&](Control& control) { control.after(1h, [&](Control&) { ++due; }); };
    rig.start("base");
    rig.tick(59min);
    EXPECT_EQ(due, 0);
    rig.tick(1min);
    EXPECT_EQ(due, 1);
}

TEST(Field, LongRunsLeaveNothingBehind) {
    Rig rig;
    auto& base = rig.make("base");
    auto& a = rig.make("a");
    auto& b = rig.make("b");
    (void)base.declare({.declares_repeat = true});
    base.delegates = {&a, &b};
    a.delegates = {&b};
    base.in_update = [&](Control& control) {
        (void)control.cancel_delegates();
        ask_and_delegate(control, control.tick() % 2 ? a : b);
    };
    for (Scripted* one : {&a, &b})
        one->in_activated = [](Control& control) {
            control.keep([] {});
            control.after(1h, [](Control&) {});
        };
    rig.start("base");
    Recorder recorder(*rig.runner);
    rig.runner->add_observer(recorder);
    const auto bytes_of_two_ticks = [&] {
        recorder.forget();
        rig.tick();
        rig.tick();
        return recorder.bytes().size();
    };
    rig.tick();
    rig.tick();
    const std::size_t early = bytes_of_two_ticks();
    const std::size_t calls_early = rig.trace.size();
    for (int i = 0; i < 20'000; ++i) rig.tick();
    EXPECT_EQ(bytes_of_two_ticks(), early);
    EXPECT_EQ(rig.trace.size(), calls_early);
}

TEST(Field, WhatIsOutOfScopeCostsNothing) {
    Rig rig;
    auto& base = rig.make("base");
    auto& near = rig.make("near");
    base.delegates = {&near};
    for (int i = 0; i < 10'000; ++i) rig.make("far" + std::to_string(i));
    rig.start("base");
    EXPECT_EQ(rig.trace.size(), 6u) << "only base and near are called";
    rig.tick();
    EXPECT_THAT(rig.trace, ElementsAre("update base", "update near"));
}

}  // namespace
}  // namespace caribou::behavior
