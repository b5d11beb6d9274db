#include "behavior/state_machine.hpp"

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/dispatcher_rig.hpp"
#include "behavior/fact_condition.hpp"
#include "behavior/timer_condition.hpp"

namespace caribou::behavior {
namespace {

using namespace std::chrono_literals;
class Machine : public testing::Test {
protected:
    StateMachine& make(StateMachine::Resume resume = StateMachine::Resume::no) {
        machine = &rig.add<StateMachine>("base", resume);
        for (const char* id : {"x", "y", "z"})
            EXPECT_TRUE(machine->add_state(std::string("in_") + id, rig[id]));
        return *machine;
    }
    static ConditionPtr fact(const std::string& name) { return std::make_unique<FactCondition>(name); }
    DispatcherRig rig;
    StateMachine* machine = nullptr;
};

TEST_F(Machine, BeginsInItsFirstState) {
    make();
    EXPECT_EQ(machine->state_name(), "");
    rig.start("base");
    EXPECT_EQ(machine->state_name(), "in_x");
    EXPECT_EQ(rig.top(), "x");
}

TEST_F(Machine, TakesAnInterruptingTransitionWhileTheBehaviorRuns) {
    EXPECT_TRUE(make().add_transition("in_x", StateMachine::Kind::interrupting, fact("go"), "in_y"));
    rig.start("base");
    rig.facts.set("go", true);
    rig.tick();
    EXPECT_EQ(rig.top(), "y");
    EXPECT_THAT(rig.changes, testing::Contains("x popped, cancelled"));
}

TEST_F(Machine, TakesAWhenIdleTransitionOnlyWhileTheBehaviorDoesNotRun) {
    EXPECT_TRUE(make().add_transition("in_x", StateMachine::Kind::when_idle, fact("go"), "in_y"));
    rig.start("base");
    rig.facts.set("go", true);
    rig.tick();
    EXPECT_EQ(rig.top(), "x");
    rig.end("x");
    rig.tick();
    EXPECT_EQ(rig.top(), "y") << "in the tick in which it ended";
}

TEST_F(Machine, LooksAtOnExitTransitionsOnceWhenTheBehaviorEnded) {
    EXPECT_TRUE(make().add_transition("in_x", StateMachine::Kind::on_exit, fact("go"), "in_y"));
    rig.start("base");
    rig.end("x");
    rig.tick();
    EXPECT_EQ(machine->state_name(), "in_x") << "it did not hold at that moment";
    EXPECT_EQ(rig.top(), "base");
    rig.facts.set("go", true);
    rig.tick();
    EXPECT_EQ(machine->state_name(), "in_x") << "and is not looked at any more";
}

TEST_F(Machine, TakesAnUnconditionalExit) {
    EXPECT_TRUE(make().add_transition("in_x", StateMachine::Kind::on_exit, nullptr, "in_z"));
    rig.start("base");
    rig.end("x");
    rig.tick();
    EXPECT_EQ(rig.top(), "z");
}

TEST_F(Machine, TakesTheFirstOfSeveralThatHold) {
    make();
    EXPECT_TRUE(machine->add_transition("in_x", StateMachine::Kind::interrupting, fact("go"), "in_z"));
    EXPECT_TRUE(machine->add_transition("in_x", StateMachine::Kind::interrupting, fact("go"), "in_y"));
    rig.facts.set("go", true);
    rig.start("base");
    EXPECT_EQ(rig.top(), "z");
}

TEST_F(Machine, GoesBackToWhereItCameFrom) {
    make();
    EXPECT_TRUE(machine->add_transition("in_y", StateMachine::Kind::interrupting, fact("alarm"), "in_z"));
    EXPECT_TRUE(machine->add_transition("in_x", StateMachine::Kind::on_exit, nullptr, "in_y"));
    EXPECT_TRUE(machine->add_transition("in_z", StateMachine::Kind::on_exit, nullptr, StateMachine::back));
    rig.start("base");
    rig.end("x");
    rig.tick();
    rig.facts.set("alarm", true);
    rig.tick();
    EXPECT_EQ(rig.top(), "z");
    rig.facts.set("alarm", false);
    rig.end("z");
    rig.tick();
    rig.tick();
    EXPECT_EQ(rig.top(), "y");
}

TEST_F(Machine, ResumesWhereItWasIfToldSo) {
    for (const auto resume : {StateMachine::Resume::no, StateMachine::Resume::yes}) {
        DispatcherRig own;
        auto& machine_here = own.add<StateMachine>("base", resume);
        for (const char* id : {"x", "y"}) EXPECT_TRUE(machine_here.add_state(id, own[id]));
        EXPECT_TRUE(machine_here.add_transition("x", StateMachine::Kind::on_exit, nullptr, "y"));
        own.start("base");
        own.end("x");
        own.tick();
        EXPECT_EQ(own.top(), "y");
        (void)own.runner->request_reset("test");
        own.tick();
        EXPECT_EQ(own.top(), resume == StateMachine::Resume::yes ? "y" : "x");
    }
}

TEST_F(Machine, AsksABehaviorThatDoesNotWantAgain) {
    make();
    rig.set_willing("");
    rig.start("base");
    EXPECT_EQ(rig.top(), "base");
    rig.set_willing("x");
    rig.tick();
    EXPECT_EQ(rig.top(), "x");
}

TEST_F(Machine, StartsTheConditionsOfAStateAfreshEachTime) {
    make();
    EXPECT_TRUE(machine->add_transition("in_x", StateMachine::Kind::interrupting,
                                        std::make_unique<TimerCondition>(1s), "in_y"));
    EXPECT_TRUE(machine->add_transition("in_y", StateMachine::Kind::interrupting, fact("home"), "in_x"));
    rig.start("base");
    rig.tick(1s);
    EXPECT_EQ(rig.top(), "y");
    rig.facts.set("home", true);
    rig.tick();
    EXPECT_EQ(rig.top(), "x");
    rig.tick(999ms);
    EXPECT_EQ(rig.top(), "x");
    rig.tick(1ms);
    EXPECT_EQ(rig.top(), "y");
    EXPECT_THAT(rig.changes, testing::Contains("base: after 1 s is now true"));
}

TEST_F(Machine, RefusesStatesAndTransitionsThatMakeNoSense) {
    make();
    EXPECT_EQ(machine->add_state("in_x", rig["x"]).error().code, Code::already_exists);
    EXPECT_EQ(machine->add_state("", rig["x"]).error().code, Code::invalid_argument);
    EXPECT_EQ(machine->add_transition("nowhere", StateMachine::Kind::on_exit, nullptr, "in_x").error().code,
              Code::not_found);
    EXPECT_EQ(machine->add_transition("in_x", StateMachine::Kind::on_exit, nullptr, "nowhere").error().code,
              Code::not_found);
    EXPECT_EQ(machine->add_transition("in_x", StateMachine::Kind::when_idle, nullptr, "in_y").error().code,
              Code::invalid_argument);
}

TEST(EmptyMachine, DoesNothing) {
    DispatcherRig rig;
    rig.add<StateMachine>("base");
    rig.start("base");
    EXPECT_EQ(rig.top(), "base");
}

}  // namespace
}  // namespace caribou::behavior
