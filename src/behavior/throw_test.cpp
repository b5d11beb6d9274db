// Exceptions in user code, wherever it runs: they end the behavior and affect nothing else.
#include <functional>
#include <memory>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/behavior_rig.hpp"
#include "behavior/condition.hpp"

namespace caribou::behavior {
namespace {

using testing::Contains;
using testing::ElementsAre;

constexpr auto bang = [](auto&&...) { throw std::runtime_error("bang"); };

/// base -> a, b; a -> c. base delegates to a, and a to c, whenever they can.
class Throw : public testing::Test {
protected:
    Throw() {
        base.delegates = {&a, &b};
        a.delegates = {&c};
        base.in_update = [&](Control& control) {
            if (control.is_active() && control.can_delegate())
                ask_and_delegate(control, a,
                                 [&](Control&, const Outcome& outcome) { came_back = to_string(outcome); });
        };
        a.in_update = [&](Control& control) {
            if (control.is_active() && control.can_delegate()) ask_and_delegate(control, c);
        };
    }
    void expect_contained(const std::string& where) {
        EXPECT_THAT(rig.broken, ElementsAre(Rule::no_throw));
        EXPECT_THAT(rig.changes, Contains("a broke the rule no_throw: " + where + " threw: bang"));
    }

    Rig rig;
    Scripted& base = rig.make("base");
    Scripted& a = rig.make("a");
    Scripted& b = rig.make("b");
    Scripted& c = rig.make("c");
    std::string came_back;
};

TEST_F(Throw, InUpdateEndsItWithItsDelegatesAndItsParentRegainsControl) {
    rig.start("base");
    a.in_update = bang;
    rig.tick();
    expect_contained("update");
    EXPECT_THAT(rig.trace, ElementsAre("update base", "update a", "deactivate c", "leave c", "deactivate a",
                                       "return base", "update b"));
    EXPECT_EQ(came_back, "failed: update threw: bang");
    EXPECT_THAT(rig.stack(), ElementsAre("base"));
}

TEST_F(Throw, InActivatedEndsItAndTellsItSo) {
    a.in_activated = bang;
    rig.start("base");
    expect_contained("on_activated");
    EXPECT_THAT(rig.stack(), ElementsAre("base"));
    EXPECT_THAT(rig.trace, Contains("deactivate a"));
    EXPECT_EQ(came_back, "failed: on_activated threw: bang");
}

TEST_F(Throw, InUpdateOfWhoIsOnlyInScopeIsReported) {
    b.in_update = bang;
    rig.start("base");
    EXPECT_THAT(rig.broken, ElementsAre(Rule::no_throw));
    EXPECT_THAT(rig.stack(), ElementsAre("base", "a", "c"));
    rig.tick();
    EXPECT_THAT(rig.trace, Contains("update b")) << "it gets its updates as before";
}

TEST_F(Throw, InTheQuestionIsANo) {
    a.in_wants = [](const View&) -> Wants { throw 7; };
    rig.start("base");
    EXPECT_THAT(
        rig.changes,
        Contains(
            "a broke the rule no_throw: wants_to_be_activated threw a value that is not a std::exception"));
    EXPECT_EQ(rig.runner->why_not(a), Wants(Gate::behavior, "it threw when it was asked"));
}

/// A gate that throws in one of its functions.
class ThrowingGate final : public RequirementGate {
public:
    Wants may_want(const Behavior& behavior, std::span<Behavior* const>) override {
        return answer(behavior, throws_in_may_want);
    }
    Wants may_activate(const Behavior& behavior, std::span<Behavior* const>) override {
        return answer(behavior, throws_in_may_activate);
    }
    void on_deactivated(const Behavior&) override {}

    bool throws_in_may_want = false;
    bool throws_in_may_activate = false;

private:
    static Wants answer(const Behavior& behavior, bool throws) {
        if (throws && behavior.id() == "a") throw std::runtime_error("bang");
        return Wants::yes();
    }
};

TEST_F(Throw, InMayWantIsANo) {
    ThrowingGate gate;
    gate.throws_in_may_want = true;
    rig.make_runner();
    rig.runner->add_gate(gate);
    (void)rig.runner->set_base("base");
    rig.tick();
    expect_contained("a requirement gate");
    EXPECT_EQ(rig.runner->why_not(a), Wants(Gate::requirement, "a requirement gate threw"));
    EXPECT_THAT(rig.stack(), ElementsAre("base"));
    rig.runner->remove_gate(gate);
}

TEST_F(Throw, InMayActivateIsANo) {
    ThrowingGate gate;
    gate.throws_in_may_activate = true;
    rig.make_runner();
    rig.runner->add_gate(gate);
    base.in_update = [&](Control& control) {
        EXPECT_TRUE(control.wants(a));
        const auto refused = control.delegate(a);
        ASSERT_FALSE(refused);
        EXPECT_THAT(refused.error().message, testing::HasSubstr("a requirement gate threw"));
    };
    (void)rig.runner->set_base("base");
    rig.tick();
    EXPECT_THAT(rig.stack(), ElementsAre("base"));
    rig.runner->remove_gate(gate);
}

TEST_F(Throw, InInitMakesItUnusable) {
    a.in_init = bang;
    rig.start("base");
    expect_contained("init");
    EXPECT_EQ(rig.runner->why_not(a), Wants(Gate::broken, "its init threw"));
}

TEST_F(Throw, InScopeHooksAndDeactivatedChangesNothing) {
    c.in_entered = bang;
    rig.start("base");
    EXPECT_THAT(rig.stack(), ElementsAre("base", "a", "c"));
    c.in_deactivated = bang;
    c.in_left = bang;
    base.in_update = [](Control& control) { (void)control.cancel_delegates(); };
    rig.tick();
    EXPECT_THAT(rig.broken, ElementsAre(Rule::no_throw, Rule::no_throw));
    EXPECT_THAT(rig.stack(), ElementsAre("base"));
    EXPECT_EQ(c.state(), Behavior::State::out_of_scope);
}

TEST_F(Throw, InACallbackEndsTheDelegator) {
    rig.start("base");
    base.in_update = {};
    a.in_update = [&](Control& control) {
        (void)control.cancel_delegates();
        ask_and_delegate(control, c, bang);
        a.in_update = {};
    };
    c.in_activated = [](Control& control) { (void)control.finish(Outcome::succeeded()); };
    rig.tick();
    expect_contained("a delegation's callback");
    EXPECT_THAT(rig.stack(), ElementsAre("base"));
    EXPECT_EQ(came_back, "failed: a delegation's callback threw: bang");
}

TEST_F(Throw, AfterItEndedItselfIsReportedAndEndsNobodyElse) {
    rig.start("base");
    a.in_update = [](Control& control) {
        (void)control.finish(Outcome::succeeded());
        throw std::runtime_error("bang");
    };
    rig.tick();
    expect_contained("update");
    EXPECT_EQ(came_back, "succeeded");
}

TEST_F(Throw, InGetAllDelegatesRefusesThePush) {
    class Secretive final : public Behavior {
    public:
        using Behavior::Behavior;
        void get_all_delegates(DelegateSet&) const override { throw std::runtime_error("bang"); }
    };
    Rig other;
    auto& parent = other.make("parent");
    auto& secretive = other.add<Secretive>("secretive");
    parent.delegates = {&secretive};
    parent.in_update = [&](Control& control) {
        EXPECT_TRUE(control.wants(secretive));
        EXPECT_EQ(control.delegate(secretive).error().message, "get_all_delegates threw: bang");
    };
    other.start("parent");
    EXPECT_THAT(other.stack(), ElementsAre("parent"));
    EXPECT_THAT(other.broken, ElementsAre(Rule::no_throw));
}

TEST_F(Throw, InAConditionCountsAsFalse) {
    class Explosive final : public Condition {
    public:
        std::string describe() const override { return "explosive"; }

    protected:
        bool on_evaluate(const Moment&) override { throw std::runtime_error("bang"); }
    };
    (void)a.wants_when(std::make_unique<Explosive>());
    rig.start("base");
    EXPECT_THAT(rig.broken, ElementsAre(Rule::no_throw)) << "evaluated once per tick";
    EXPECT_EQ(rig.runner->why_not(a), Wants(Gate::condition, "explosive"));
}

TEST_F(Throw, InACancelConditionEndsTheBehavior) {
    class Unsure final : public Condition {
    public:
        std::string describe() const override { return "unsure"; }
        bool is_armed = false;

    protected:
        bool on_evaluate(const Moment&) override {
            if (is_armed) throw std::runtime_error("bang");
            return false;
        }
    };
    auto owned = std::make_unique<Unsure>();
    Unsure& unsure = *owned;
    (void)a.cancel_when(std::move(owned));
    rig.start("base");
    EXPECT_THAT(rig.stack(), ElementsAre("base", "a", "c"));
    unsure.is_armed = true;
    rig.tick();
    expect_contained("a condition");
    EXPECT_EQ(came_back, "failed: a condition threw: bang");
    EXPECT_THAT(rig.stack(), ElementsAre("base"));
}

TEST_F(Throw, InATimersTaskOrWhatWasKeptIsContained) {
    rig.start("base");
    a.in_update = {};
    a.control->after(Duration::zero(), bang);
    rig.tick();
    expect_contained("a timer's task");
    EXPECT_THAT(rig.stack(), ElementsAre("base"));
    b.in_update = [](Control& control) { control.keep(bang); };
    rig.tick();
    b.in_update = {};
    (void)rig.runner->request_reset("test");
    rig.tick();
    EXPECT_THAT(rig.changes, Contains("b broke the rule no_throw: undoing what it acquired threw: bang"));
}

TEST_F(Throw, InAnObserverIsReportedInTheNextTick) {
    class Clumsy final : public Observer {
    public:
        void on_tick(const Difference&) override { throw std::runtime_error("bang"); }
    } clumsy;
    rig.make_runner();
    rig.runner->add_observer(clumsy);
    rig.tick();
    rig.tick();
    EXPECT_THAT(rig.changes, Contains("the runner broke the rule no_throw: an observer threw: bang"));
    rig.runner->remove_observer(clumsy);
}

TEST_F(Throw, ObserversMayAddAndRemoveThemselvesAndOthersInATick) {
    struct Counting : Observer {
        void on_tick(const Difference&) override {
            ++calls;
            if (then) then();
        }
        int calls = 0;
        std::function<void()> then;
    } first, second, third, late;
    rig.make_runner();
    for (Counting* each : {&first, &second, &third}) rig.runner->add_observer(*each);
    first.then = [&] {
        rig.runner->remove_observer(first);
        rig.runner->remove_observer(second);
        rig.runner->add_observer(late);
    };
    for (int i = 0; i < 3; ++i) rig.tick();
    EXPECT_EQ(first.calls, 1);
    EXPECT_EQ(second.calls, 0) << "removed before its turn";
    EXPECT_EQ(third.calls, 3);
    EXPECT_EQ(late.calls, 2) << "from the next tick on";
    rig.runner->remove_observer(third);
    rig.runner->remove_observer(late);
}

}  // namespace
}  // namespace caribou::behavior
