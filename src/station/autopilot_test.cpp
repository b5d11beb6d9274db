#include "station/autopilot.hpp"

#include <cmath>
#include <numbers>

#include "link/command_movement.hpp"
#include "negotiation/negotiated_publisher.hpp"
#include "station/played_view.hpp"
#include "station/station.hpp"
#include "station/station_rig.hpp"
#include "views/encodings.hpp"

namespace caribou::station {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using State = Autopilot::State;

/// A box on the floor that stops beams and robots.
struct Box {
    Vec2 low;
    Vec2 high;
    bool contains(Vec2 p) const { return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y; }
};

/// A robot with simulated motion, in a plane with boxes.
class AutopilotTest : public StationRig {
protected:
    void SetUp() override {
        station = std::make_unique<Station>(loop, *station_host, FleetSettings{}, log);
        ASSERT_TRUE(station->fleet().listen(Address::ip("0.0.0.0", 9600)));
        robot = &add_robot();
        robot->telemetry.battery.level = 1;
        robot->answering = [this](const link::Command& command) {
            if (!link::is_motion(command.code)) return std::vector{link::Answer::done(command.id)};
            if (!refuses.empty())
                return std::vector{link::Answer::refused(command.id, {link::Refusal::unsafe, refuses})};
            motion = link::motion_of(command).value();
            return std::vector{link::Answer::done(command.id)};
        };
        step();
        loop.advance(300ms);
    }
    /// Advances the physics in steps of 50 ms.
    void step() {
        timer->arm(loop.clock().now() + 50ms);
        Pose& pose = robot->telemetry.pose;
        const auto [right, left] = motion.speeds(motion::MotionSettings{}, wheel_base);
        pose.heading = wrapped_angle(pose.heading + (right - left) / wheel_base * 0.05);
        const Vec2 to = position(pose) + towards(pose.heading) * ((right + left) / 2 * 0.05);
        for (const Box& box : boxes) bumped = bumped || box.contains(to);
        pose.x = to.x;
        pose.y = to.y;
        robot->telemetry.ranges.clear();
        for (int i = 0; i < 36; ++i) {
            const double bearing = i * std::numbers::pi / 18;
            robot->telemetry.ranges.push_back(
                {static_cast<float>(bearing), beam(to, pose.heading + bearing)});
        }
    }
    float beam(Vec2 from, double angle) const {
        constexpr double reach = 3;
        for (double d = 0.02; d < reach; d += 0.02)
            for (const Box& box : boxes)
                if (box.contains(from + towards(angle) * d)) return static_cast<float>(d);
        return reach;
    }
    /// Publishes a map of 8 by 6 m around (1, 0), in which everything is free but what is named. The station
    /// wants it because a route is loaded.
    void publish_map(const std::function<bool(Vec2)>& occupied) {
        if (!map) {
            map.emplace(loop, robot->topics, "/rover/map");
            constexpr negotiation::TopicQos kept{.durability = negotiation::Durability::transient_local,
                                                 .depth = 1};
            ASSERT_TRUE(map->add_supported_type<views::RawGrid>(1, kept));
            ASSERT_TRUE(map->start());
            EXPECT_FALSE(pilot().load({.points = {{0, 0}}}));
            station->tell_route("rover");
            loop.advance(500ms);
        }
        wire::Grid grid{.time = ++map_time, .x = -3, .y = -3, .cell = 0.1F, .columns = 80, .rows = 60};
        for (int row = 0; row < 60; ++row)
            for (int column = 0; column < 80; ++column) {
                const bool rim = row == 0 || row == 59 || column == 0 || column == 79;
                const Vec2 at{-3 + (column + 0.5) * 0.1, -3 + (row + 0.5) * 0.1};
                grid.cells.push_back(rim || occupied(at) ? 100 : 0);
            }
        ASSERT_TRUE(map->publish<views::RawGrid>(
            views::message_of(wire::encode_grid(grid, wire::GridEncoding::raw))));
        loop.advance(200ms);
    }
    /// Returns whether the planned path comes that near to a place.
    bool path_passes(Vec2 place, double within) {
        const auto points = pilot().shown().value().path;
        for (std::size_t i = 0; i + 1 < points.size(); ++i)
            for (double share = 0; share <= 1; share += 0.05)
                if (distance(points[i] + (points[i + 1] - points[i]) * share, place) < within) return true;
        return false;
    }
    Autopilot& pilot() { return station->pilot(session()); }
    RobotSession& session() { return *station->fleet().find("rover"); }
    /// Loads and starts a route; returns the objection, if any.
    std::string start(std::vector<Vec2> points, int rounds = 1) {
        EXPECT_FALSE(pilot().load({.points = std::move(points), .rounds = rounds}));
        const auto objection = pilot().start();
        return objection ? objection->text : "";
    }
    bool ends(State state, Duration limit) {
        const bool ended = loop.run_until([&] { return pilot().state() == state; }, limit);
        loop.run_ready();
        return ended;
    }

    std::unique_ptr<Station> station;
    PlayedRobot* robot = nullptr;
    std::vector<Box> boxes;
    static constexpr double wheel_base = 0.24;
    motion::MotionCommand motion;
    std::string refuses;
    bool bumped = false;
    std::optional<negotiation::NegotiatedPublisher> map;
    double map_time = 0;
    std::unique_ptr<Timer> timer = loop.make_timer([this] { step(); });
};

TEST_F(AutopilotTest, VisitsTheWayPoints) {
    ASSERT_EQ(start({{1, 0}, {1, 1}, {0, 0}}), "");
    EXPECT_EQ(session().mode(), StationMode::run2);
    ASSERT_TRUE(ends(State::arrived, 60s)) << data::to_json(pilot().shown().value());
    EXPECT_EQ(session().mode(), StationMode::run1);
    EXPECT_LT(length(position(robot->telemetry.pose)), 0.2);
    EXPECT_TRUE(motion.is_halt());
}

TEST_F(AutopilotTest, GoesRoundWhatTheRobotSees) {
    boxes = {{{0.9, -0.8}, {1.1, 0.8}}};
    ASSERT_EQ(start({{2, 0}}), "");
    ASSERT_TRUE(ends(State::arrived, 120s)) << data::to_json(pilot().shown().value());
    EXPECT_FALSE(bumped);
}

TEST_F(AutopilotTest, SaysWhyAGoalCannotBeReached) {
    boxes = {{{1.5, -0.5}, {2.5, 0.5}}};
    ASSERT_EQ(start({{2, 0}}), "");
    ASSERT_TRUE(ends(State::failed, 120s)) << data::to_json(pilot().shown().value());
    EXPECT_THAT(pilot().why(), HasSubstr("cannot reach point 1 of 1 at 2.00,0.00: "));
    EXPECT_FALSE(bumped);
    EXPECT_TRUE(motion.is_halt());
    EXPECT_THAT(session().why(), HasSubstr("autopilot: cannot reach"));
}

TEST_F(AutopilotTest, PausesResumesAndAborts) {
    ASSERT_EQ(start({{3, 0}}), "");
    loop.advance(2s);
    ASSERT_FALSE(pilot().pause());
    loop.advance(1s);
    EXPECT_TRUE(motion.is_halt());
    EXPECT_EQ(session().mode(), StationMode::run1);
    EXPECT_EQ(pilot().pause()->text, "it is not driving");
    ASSERT_FALSE(pilot().resume());
    loop.advance(1s);
    EXPECT_FALSE(motion.is_halt());
    EXPECT_THAT(pilot().load({})->text, HasSubstr("abort that first"));
    ASSERT_FALSE(pilot().abort());
    loop.advance(100ms);
    EXPECT_TRUE(motion.is_halt());
    EXPECT_TRUE(pilot().resume());
}

TEST_F(AutopilotTest, GoesRoundAndRound) {
    ASSERT_EQ(start({{0.5, 0}, {0, 0}}, 2), "");
    ASSERT_TRUE(ends(State::arrived, 120s));
    EXPECT_THAT(data::to_json(pilot().shown().value()),
                AllOf(HasSubstr(R"("round":2)"), HasSubstr(R"("state":"arrived")")));
}

TEST_F(AutopilotTest, LetsAPersonTakeOverAndDoesNotResumeByItself) {
    ASSERT_EQ(start({{3, 0}}), "");
    loop.advance(1s);
    session().send(link::command_from("full_stop").value(), watcher, [](const link::Answer&) {});
    EXPECT_EQ(pilot().state(), State::paused);
    EXPECT_EQ(pilot().why(), "tim has stopped the robot");
    const std::size_t told = robot->told().size();
    loop.advance(5s);
    EXPECT_EQ(robot->told().size(), told + 1) << "the full stop, and nothing else";
}

TEST_F(AutopilotTest, StopsWhenTelemetryGoesStale) {
    ASSERT_EQ(start({{3, 0}}), "");
    loop.advance(1s);
    robot->sends_telemetry = false;
    loop.advance(1200ms);
    EXPECT_EQ(pilot().state(), State::paused);
    EXPECT_EQ(pilot().why(), "telemetry has become stale");
    EXPECT_EQ(robot->told().back(), "full_stop");
}

/// Such as one of the emergency input. While it waits it orders rest, which no stop refuses.
TEST_F(AutopilotTest, EndsTheRouteByAStopAtTheRobotAlsoWhileItWaits) {
    boxes = {{{1.5, -0.5}, {2.5, 0.5}}};
    ASSERT_EQ(start({{2, 0}}), "");
    ASSERT_TRUE(loop.run_until([&] { return !pilot().shown()->why.empty(); }, 2min));
    ASSERT_EQ(pilot().state(), State::driving) << pilot().why();
    robot->telemetry.stopped = true;
    loop.advance(300ms);
    EXPECT_EQ(pilot().state(), State::failed);
    EXPECT_EQ(pilot().why(), "the robot is stopped");
    robot->telemetry.stopped = false;
    boxes.clear();
    const std::size_t told = robot->told().size();
    loop.advance(5s);
    EXPECT_EQ(robot->told().size(), told) << "a release lets it go on";
}

TEST_F(AutopilotTest, EndsTheRouteWhenTheRobotIsStartedAgain) {
    start({{3, 0}});
    loop.advance(1s);
    robot->hang_up();
    loop.advance(1s);
    EXPECT_EQ(pilot().state(), State::paused) << "only the connection was lost";
    robot->hang_up();
    robot->telemetry.number = 0;
    loop.advance(2s);
    EXPECT_EQ(pilot().state(), State::failed);
    EXPECT_THAT(pilot().why(), HasSubstr("rover was started again, and its map begins anew"));
    EXPECT_EQ(pilot().resume()->refusal, link::Refusal::wrong_mode);
    EXPECT_EQ(pilot().start()->text,
              "rover was started again, and its map begins anew: place the points again");
    EXPECT_EQ(pilot().shown()->obstacle, pilot().start()->text);
    EXPECT_THAT(pilot().shown()->points, IsEmpty()) << "they are of another map";
    EXPECT_EQ(start({{1, 0}}), "") << "new points";
    EXPECT_EQ(pilot().shown()->obstacle, "");
}

TEST_F(AutopilotTest, RemovesAnEndedRouteWhenTheRobotIsStartedAgain) {
    ASSERT_EQ(start({{3, 0}}), "");
    loop.advance(1s);
    ASSERT_FALSE(pilot().abort());
    robot->hang_up();
    robot->telemetry.number = 0;
    loop.advance(2s);
    EXPECT_FALSE(pilot().shown());
    EXPECT_EQ(pilot().start()->text, "no route is loaded");
}

TEST_F(AutopilotTest, ClearsARouteThatIsNotBeingDriven) {
    EXPECT_EQ(pilot().clear()->text, "no route is loaded");
    ASSERT_EQ(start({{3, 0}}), "");
    EXPECT_EQ(pilot().clear()->refusal, link::Refusal::busy);
    ASSERT_FALSE(pilot().pause());
    EXPECT_FALSE(pilot().clear());
    EXPECT_FALSE(pilot().shown());
    EXPECT_EQ(pilot().resume()->refusal, link::Refusal::wrong_mode);
    EXPECT_EQ(start({{1, 0}}), "");
}

TEST_F(AutopilotTest, PlansAFailedRouteAnew) {
    boxes = {{{1.5, -0.5}, {2.5, 0.5}}};
    ASSERT_EQ(start({{2, 0}}), "");
    ASSERT_TRUE(ends(State::failed, 120s));
    boxes.clear();
    ASSERT_FALSE(pilot().start());
    EXPECT_TRUE(ends(State::arrived, 120s)) << pilot().why();
}

TEST_F(AutopilotTest, GivesUpWhenTheRobotRefuses) {
    refuses = "an obstacle ahead";
    ASSERT_EQ(start({{3, 0}}), "");
    ASSERT_TRUE(ends(State::failed, 10s));
    EXPECT_THAT(pilot().why(), HasSubstr("the robot reports UNSAFE: an obstacle ahead"));
}

TEST_F(AutopilotTest, DocksWhenTheBatteryIsLow) {
    ASSERT_EQ(start({{3, 0}}), "");
    loop.advance(1s);
    robot->telemetry.battery.level = 0.1F;
    loop.advance(500ms);
    EXPECT_EQ(robot->told().back(), "dock");
    EXPECT_EQ(pilot().state(), State::paused);
    EXPECT_EQ(pilot().why(), "the battery is low; dock: DONE");
}

TEST_F(AutopilotTest, DrivesOnWithoutAReadingOfTheBattery) {
    ASSERT_EQ(start({{3, 0}}), "");
    loop.advance(1s);
    robot->telemetry.battery = {};
    loop.advance(500ms);
    EXPECT_EQ(pilot().state(), State::driving);
    EXPECT_NE(robot->told().back(), "dock");
}

TEST_F(AutopilotTest, IsEndedByAPersonWhoDocksTheRobot) {
    ASSERT_EQ(start({{3, 0}}), "");
    loop.advance(1s);
    session().send(link::command_from("dock").value(), driver, [](const link::Answer&) {});
    EXPECT_EQ(pilot().state(), State::paused);
    EXPECT_EQ(pilot().why(), "ann has sent the robot to its dock");
}

TEST_F(AutopilotTest, IsEndedByAPersonWhoSendsTheRobotToAPlace) {
    ASSERT_EQ(start({{3, 0}}), "");
    loop.advance(1s);
    session().send(link::command_from("go place=kitchen").value(), driver, [](const link::Answer&) {});
    EXPECT_EQ(pilot().state(), State::paused);
    EXPECT_EQ(pilot().why(), "ann has sent the robot to a place");
}

TEST_F(AutopilotTest, IsEndedByAPersonWhoChangesTheRunMode) {
    ASSERT_EQ(start({{3, 0}}), "");
    loop.advance(1s);
    session().send(link::command_from("set_run_mode mode=2").value(), driver, [](const link::Answer&) {});
    EXPECT_EQ(pilot().state(), State::paused);
    EXPECT_EQ(pilot().why(), "ann has changed its run mode");
}

TEST_F(AutopilotTest, PlansOnTheMapOfTheRobotThroughItsDoor) {
    // A wall at x = 1, which the ranges of telemetry do not show, with a door at the far end.
    publish_map([](Vec2 at) { return at.x > 0.9 && at.x < 1.1 && at.y < 1.5; });
    ASSERT_EQ(start({{2, 0}}), "");
    loop.advance(200ms);
    EXPECT_TRUE(path_passes({1, 1.8}, 0.35)) << data::to_json(pilot().shown().value());
    ASSERT_TRUE(ends(State::arrived, 120s)) << data::to_json(pilot().shown().value());
}

TEST_F(AutopilotTest, RefusesAGoalInsideSomethingAtOnce) {
    publish_map([](Vec2 at) { return std::abs(at.x - 2) < 0.5 && std::abs(at.y) < 0.5; });
    EXPECT_THAT(start({{2, 0}}), HasSubstr("cannot reach point 1 of 1 at 2.00,0.00: an obstacle is at"));
    EXPECT_THAT(start({{1, 0}, {1.45, 0}}), HasSubstr("cannot reach point 2 of 2 at 1.45,0.00: an obstacle"));
    EXPECT_EQ(session().mode(), StationMode::run1);
    EXPECT_EQ(start({{1, 1}}), "") << "another goal is accepted";
}

TEST_F(AutopilotTest, RefusesAGoalThatIsWalledOffAtOnce) {
    publish_map([](Vec2 at) { return at.x > 0.9 && at.x < 1.1; });
    EXPECT_THAT(start({{2, 0}}), HasSubstr("cannot reach point 1 of 1 at 2.00,0.00: "));
}

TEST_F(AutopilotTest, KeepsOutOfTheZonesOfTheMap) {
    publish_map([](Vec2) { return false; });
    TextWriter places(loop, robot->topics, "/rover/places");
    loop.advance(500ms);
    const auto draw = [&](const std::string& corners) {
        places.say(R"({"zones":[{"name":"z","kind":"keep_out","speed":0,"corners":)" + corners + "}]}");
        loop.advance(200ms);
    };
    draw("[[0.9,-9],[1.1,-9],[1.1,1.5],[0.9,1.5]]");
    ASSERT_EQ(start({{2, 0}}), "");
    loop.advance(200ms);
    EXPECT_TRUE(path_passes({1, 1.8}, 0.35)) << data::to_json(pilot().shown().value());
    draw("[[0.9,-9],[1.1,-9],[1.1,9],[0.9,9]]");
    EXPECT_FALSE(pilot().abort());
    EXPECT_THAT(start({{2, 0}}), HasSubstr("point 1 of 1 at 2.00,0.00: keep-out zones cut the goal off"));
    EXPECT_THAT(start({{1, 0}}), HasSubstr("point 1 of 1 at 1.00,0.00: the goal is in a keep-out zone"));
}

TEST_F(AutopilotTest, PlansAgainWhenTheMapChanges) {
    publish_map([](Vec2) { return false; });
    ASSERT_EQ(start({{2, 0}}), "");
    loop.advance(200ms);
    EXPECT_FALSE(path_passes({1, 1.8}, 0.5));
    publish_map([](Vec2 at) { return at.x > 0.9 && at.x < 1.1 && at.y < 1.5; });
    loop.advance(1500ms);
    EXPECT_TRUE(path_passes({1, 1.8}, 0.35)) << data::to_json(pilot().shown().value());
}

TEST_F(AutopilotTest, NeedsARouteAndTheLease) {
    EXPECT_EQ(pilot().start()->text, "no route is loaded");
    session().send(link::command_from("take_lease").value(), driver, [](const link::Answer&) {});
    EXPECT_THAT(start({{1, 0}}), HasSubstr("ann drives"));
}

}  // namespace
}  // namespace caribou::station
