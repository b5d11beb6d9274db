// Resources that a behavior acquires through the engine: handles, timers, sensor modes, events. The engine
// releases all of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/behavior_rig.hpp"

namespace caribou::behavior {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

/// base -> a; a -> c.
class Belongings : public testing::Test {
protected:
    Belongings() {
        base.delegates = {&a};
        a.delegates = {&c};
    }
    void activate_a() {
        base.in_update = [&](Control& control) {
            base.in_update = {};
            EXPECT_TRUE(ask_and_delegate(control, a));
        };
        rig.tick();
    }
    void cancel_a() {
        base.in_update = [&](Control& control) {
            base.in_update = {};
            (void)control.cancel_delegates();
        };
        rig.tick();
    }
    Undo note(const std::string& text) {
        return [this, text] { rig.trace.push_back("undo " + text); };
    }

    Rig rig;
    Scripted& base = rig.make("base");
    Scripted& a = rig.make("a");
    Scripted& c = rig.make("c");
};

TEST_F(Belongings, AcquiredWhileActiveAreUndoneAfterDeactivatedInReverse) {
    a.in_activated = [&](Control& control) {
        control.keep(note("1"));
        control.keep(note("2"));
    };
    rig.start("base");
    activate_a();
    EXPECT_THAT(rig.trace, testing::Not(testing::Contains("undo 1")));
    cancel_a();
    EXPECT_THAT(rig.trace,
                ElementsAre("update base", "leave c", "deactivate a", "undo 2", "undo 1", "update a"));
}

TEST_F(Belongings, AcquiredInScopeAreUndoneWhenItIsLeft) {
    a.in_entered = [&](Scope& scope) { scope.keep(note("scope")); };
    rig.start("base");
    activate_a();
    cancel_a();
    EXPECT_THAT(rig.trace, testing::Not(testing::Contains("undo scope")));
    (void)rig.runner->request_reset("test", "c");
    rig.tick();
    EXPECT_THAT(rig.trace, ElementsAre("leave a", "undo scope", "deactivate base", "leave base", "enter c",
                                       "ask c", "activate c", "update c"));
}

TEST_F(Belongings, AcquiredTooLateAreUndoneAtOnce) {
    rig.start("base");
    Control& control = *base.control;
    (void)rig.runner->request_reset("test", "c");
    rig.tick();
    control.keep(note("late"));
    EXPECT_EQ(rig.trace.back(), "undo late");
}

TEST_F(Belongings, AreUndoneWhenTheRunnerGoes) {
    base.in_activated = [&](Control& control) { control.keep(note("lights")); };
    rig.start("base");
    rig.trace.clear();
    rig.runner.reset();
    EXPECT_THAT(rig.trace, ElementsAre("leave a", "deactivate base", "undo lights", "leave base"));
}

TEST_F(Belongings, TimersComeDueInOrderBeforeTheUpdate) {
    rig.start("base");
    base.control->after(30ms, [&](Control&) { rig.trace.push_back("late"); });
    base.control->after(20ms, [&](Control&) { rig.trace.push_back("early"); });
    rig.tick();
    EXPECT_THAT(rig.trace, ElementsAre("update base", "update a"));
    rig.tick(30ms);
    EXPECT_THAT(rig.trace, ElementsAre("early", "late", "update base", "update a"));
    rig.tick(1s);
    EXPECT_THAT(rig.trace, ElementsAre("update base", "update a")) << "once each";
}

TEST_F(Belongings, TimersSetInATickAreNotDueInIt) {
    int times = 0;
    std::function<void(Control&)> again = [&](Control& control) {
        ++times;
        control.after(0s, again);
    };
    rig.start("base");
    base.control->after(0s, again);
    rig.tick();
    rig.tick();
    EXPECT_EQ(times, 2);
}

TEST_F(Belongings, TimersOfAnActivationEndWithIt) {
    rig.start("base");
    activate_a();
    a.control->after(10ms, [&](Control&) { rig.trace.push_back("due"); });
    cancel_a();
    rig.tick(1s);
    EXPECT_THAT(rig.trace, testing::Not(testing::Contains("due")));
}

TEST_F(Belongings, TimersTaskMayDelegateOrEnd) {
    rig.start("base");
    base.control->after(0s, [&](Control& control) { EXPECT_TRUE(ask_and_delegate(control, a)); });
    rig.tick();
    EXPECT_THAT(rig.stack(), ElementsAre("base", "a"));
    base.control->after(0s, [&](Control& control) { (void)control.cancel_self(); });
    rig.tick();
    EXPECT_THAT(rig.trace, testing::Not(testing::Contains("update base"))) << "it is out of scope";
    EXPECT_TRUE(rig.runner->idle());
}

class Switch final : public SensorSwitch {
public:
    void set_mode(std::string_view mode, bool wanted) override {
        calls.push_back(std::string(mode) + (wanted ? " on" : " off"));
    }
    Trace calls;
};

TEST(SensorModes, CountEveryModeThoughTheSwitchThrows) {
    struct Broken final : SensorSwitch {
        void set_mode(std::string_view, bool) override { throw std::runtime_error("no power"); }
    } broken;
    SensorModes modes;
    modes.set_switch(&broken);
    EXPECT_THROW(modes.want({"markers", "faces"}), std::runtime_error);
    EXPECT_TRUE(modes.wanted("markers"));
    EXPECT_TRUE(modes.wanted("faces"));
    modes.set_switch(nullptr);
    modes.release({"markers", "faces"});
    EXPECT_FALSE(modes.wanted("markers"));
    EXPECT_FALSE(modes.wanted("faces"));
}

TEST_F(Belongings, SensorModesAreOnWhileWantedByAnybody) {
    (void)a.declare({.sensors_in_scope = {"markers"}, .sensors_while_active = {"faces"}});
    (void)c.declare({.sensors_in_scope = {"faces"}});
    Switch sensors;
    rig.make_runner();
    rig.runner->set_sensor_switch(&sensors);
    (void)rig.runner->set_base("base");
    rig.tick();
    EXPECT_THAT(sensors.calls, ElementsAre("markers on"));
    activate_a();
    EXPECT_THAT(sensors.calls, ElementsAre("markers on", "faces on")) << "wanted by two, switched once";
    EXPECT_TRUE(rig.runner->sensor_modes().wanted("faces"));
    cancel_a();
    (void)rig.runner->request_reset("test", "c");
    rig.tick();
    EXPECT_THAT(sensors.calls, ElementsAre("markers on", "faces on", "faces off", "markers off", "faces on"));
    EXPECT_FALSE(rig.runner->sensor_modes().wanted("markers"));
    rig.runner->set_sensor_switch(nullptr);
}

TEST_F(Belongings, NewSensorSwitchHearsOfWhatIsOn) {
    (void)base.declare({.sensors_while_active = {"cliff"}});
    rig.start("base");
    Switch sensors;
    rig.runner->set_sensor_switch(&sensors);
    EXPECT_THAT(sensors.calls, ElementsAre("cliff on"));
    rig.runner->set_sensor_switch(nullptr);
}

TEST_F(Belongings, EventsOfTheLastTickComeToThoseWhoSubscribedInInit) {
    a.in_init = [&](const View&) { (void)a.subscribe("tap"); };
    Trace heard;
    a.in_update = [&](Control& control) {
        for (const Event* event : control.events())
            heard.push_back(std::string(event->topic) + " " + to_string(event->value));
    };
    c.in_update = [&](Control& control) { EXPECT_THAT(control.events(), IsEmpty()); };
    rig.start("base");
    rig.runner->post("tap", 1.0);
    rig.runner->post("shake", true);
    rig.runner->post("tap", std::string("double"));
    rig.tick();
    EXPECT_THAT(heard, ElementsAre("tap 1", "tap double"));
    rig.tick();
    EXPECT_THAT(heard, testing::SizeIs(2)) << "each event once";
    base.in_update = [&](Control&) { rig.runner->post("tap", 3.0); };
    rig.tick();
    EXPECT_THAT(heard, testing::SizeIs(2)) << "posted in this tick, handed out in the next";
    rig.tick();
    EXPECT_THAT(heard, ElementsAre("tap 1", "tap double", "tap 3"));
}

}  // namespace
}  // namespace caribou::behavior
