// A whole run in a simulated world: body, propulsion, and the default behaviors of a robot.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <numbers>
#include <set>

#include <fmt/format.h>
#include <sanitized.hpp>
#include <test_paths.hpp>
#include "robot/default_tree.hpp"
#include "robot/docking.hpp"
#include "robot/life_rig.hpp"
#include "robot/stand_watch.hpp"
#include "world/world_reader.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;

std::string tree() { return std::string(default_tree()); }

/// Runs until the condition is true, and records all behaviors on the way.
bool lives_until(LifeRig& rig, Duration limit, std::set<std::string>& done, auto&& condition) {
    for (const Instant end = rig.now() + limit; rig.now() < end;) {
        rig.live(1s);
        done.insert(rig.top());
        if (condition()) return true;
    }
    return false;
}

void expect_no_harm(LifeRig& rig) {
    EXPECT_LE(rig.world().record(0).hardest_contact, motion::MotionSettings{}.creep_speed);
    EXPECT_EQ(rig.world().record(0).falls, 0U);
    EXPECT_THAT(rig.audit().findings(), testing::IsEmpty());
}

TEST(RobotLife, ExploresWhatCanBeReachedWithoutABump) {
    for (std::uint64_t seed = 100; seed < 110; ++seed) {
        SCOPED_TRACE(seed);
        LifeRig rig(world::random_room(seed), tree());
        std::set<std::string> done;
        EXPECT_TRUE(lives_until(rig, 10min, done, [&] { return rig.explored_share() >= 0.95; }));
        EXPECT_TRUE(done.contains("explore"));
        expect_no_harm(rig);
    }
}

TEST(RobotLife, IsNeverStuckForLong) {
    for (std::uint64_t seed = 200; seed < (tests::sanitized ? 203 : 215); ++seed) {
        SCOPED_TRACE(seed);
        LifeRig rig(world::random_room(seed), tree());
        StandWatch stands;
        for (int i = 0; i < 240; ++i) {
            rig.live(1s);
            stands.look(position(rig.world().pose(0)), rig.top(), rig.now());
        }
        EXPECT_LE(stands.stuck(), 20s) << stands.stuck_in();
        EXPECT_LE(stands.stood(), 5min);
        EXPECT_GE(rig.explored_share(), 0.95);
        expect_no_harm(rig);
    }
}

TEST(RobotLife, TakesAnotherPathAfterItWasHindered) {
    // In these rooms it tried the same gap beside a box again and again, for 30 and 23 s.
    for (const std::uint64_t seed : {57U, 0U}) {
        SCOPED_TRACE(seed);
        LifeOptions options;
        options.model.battery.capacity = 4000;
        LifeRig rig(world::random_room(seed), tree(), options);
        StandWatch stands;
        for (int i = 0; i < 150; ++i) {
            rig.live(1s);
            stands.look(position(rig.world().pose(0)), rig.top(), rig.now());
        }
        EXPECT_LE(stands.stuck(), 20s) << stands.stuck_in();
        expect_no_harm(rig);
    }
}

TEST(RobotLife, IsNotStuckInRoomsWhereItWas) {
    // In the first rooms it cut a corner with a box behind it, again and again; in the last one it looked for
    // a walk among places that it could not reach. It was stuck there for 18 to 28 s.
    for (const auto& [seed, until] :
         {std::pair{82U, 150}, {244U, 60}, {276U, 60}, {361U, 140}, {424U, 80}, {342U, 480}}) {
        SCOPED_TRACE(seed);
        LifeOptions options;
        options.model.battery.capacity = 4000;
        LifeRig rig(world::random_room(seed), tree(), options);
        StandWatch stands;
        for (int i = 0; i < until; ++i) {
            rig.live(1s);
            stands.look(position(rig.world().pose(0)), rig.top(), rig.now());
        }
        EXPECT_LE(stands.stuck(), 16s) << stands.stuck_in();
        expect_no_harm(rig);
    }
}

TEST(RobotLife, FindsAWalkInARoomThatIsSmallerThanItsWalks) {
    // It tried random places, most of them outside of the room, and rested after each failure.
    world::WorldPlan plan;
    plan.size = {2, 2};
    plan.starts = {{1, 1, 0}};
    LifeRig rig(plan, R"({"base": "robot", "behaviors": [
        {"class": "strict_priority", "id": "robot", "children": ["stroll"]},
        {"class": "queue", "id": "stroll", "children": [
          {"class": "act", "id": "walk", "action": "stroll"},
          {"class": "act", "id": "linger", "action": {"wait": "5s"}}]}]})");
    StandWatch stands;
    for (int i = 0; i < 120; ++i) {
        rig.live(1s);
        stands.look(position(rig.world().pose(0)), rig.top(), rig.now());
    }
    EXPECT_LE(stands.stuck(), 12s) << stands.stuck_in();
    expect_no_harm(rig);
}

/// When a watcher of the demo first sees each part of its story, in seconds; negative: not yet.
struct DemoStory {
    double explores = -1;  ///< it has driven 3 m to see something new
    double avoids = -1;    ///< it has slowed down or halted for something near
    double plays = -1;     ///< it plays with a cube
    double docks = -1;     ///< it is on its charger
    double meets = -1;     ///< a person has been within 60 cm of its hull

    void look(LifeRig& rig) {
        const double now = to_seconds(rig.now().time_since_epoch());
        const auto note = [now](double& when, bool holds) {
            if (holds && when < 0) when = now;
        };
        const Vec2 at = position(rig.world().pose(0));
        note(explores, rig.top() == "explore" && rig.world().record(0).distance > 3);
        const motion::MotionReason reason = rig.motion().reason;
        note(avoids,
             reason == motion::MotionReason::obstacle_slow || reason == motion::MotionReason::obstacle_stop);
        note(plays, rig.top() == "spin");
        note(docks, rig.world().power(0).on_contacts);
        const auto& obstacles = rig.world().plan().obstacles;
        for (std::size_t i = 0; i < obstacles.size(); ++i)
            note(meets, !obstacles[i].walk.empty() &&
                            distance(at, rig.world().obstacle_at(i)) - obstacles[i].radius < 0.75);
    }
    std::string text() const {
        return fmt::format(
            "explores {:.0f} s, avoids {:.0f} s, meets {:.0f} s, plays {:.0f} s, docks {:.0f} s", explores,
            avoids, meets, plays, docks);
    }
};

TEST(RobotLife, ShowsAllOfItsStoryInFourMinutesOfTheDemo) {
    std::ifstream file(tests::in_repository("examples/worlds/demo.toml"));
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    for (std::uint64_t seed = 1; seed <= (tests::sanitized ? 3 : 20); ++seed) {
        SCOPED_TRACE(seed);
        auto plan = world::read_world({"demo.toml", text});
        ASSERT_TRUE(plan) << to_string(plan.error());
        plan->seed = seed;
        LifeRig rig(*plan, tree());
        StandWatch stands;
        DemoStory story;
        for (int i = 0; i < 480; ++i) {
            rig.live(500ms);
            story.look(rig);
            if (i % 2 == 1) stands.look(position(rig.world().pose(0)), rig.top(), rig.now());
        }
        std::cout << fmt::format("seed {}: {}; {:.0f} m, {:.0f} % seen, stuck {:.0f} s\n", seed, story.text(),
                                 rig.world().record(0).distance, 100 * rig.explored_share(),
                                 to_seconds(stands.stuck()));
        for (const double part : {story.explores, story.avoids, story.meets, story.plays, story.docks})
            EXPECT_GE(part, 0) << story.text();
        EXPECT_LE(story.explores, 30) << story.text() << ": a watcher sees that first";
        EXPECT_LE(story.plays, 60) << story.text();
        EXPECT_LE(stands.stuck(), 20s) << stands.stuck_in();
        EXPECT_LE(stands.stood(), 60s) << "it plays or charges";
        expect_no_harm(rig);
    }
}

TEST(RobotLife, GoesToItsDockBeforeItIsEmptyRestsAndGoesOn) {
    LifeOptions options;
    options.model.battery.capacity = 3000;
    LifeRig rig(world::random_room(3), tree(), options);
    std::set<std::string> done;
    double lowest = 1;
    std::size_t dockings = 0;
    bool docked = true;
    EXPECT_TRUE(lives_until(rig, 20min, done, [&] {
        const world::Power power = rig.world().power(0);
        lowest = std::min(lowest, power.level);
        if (power.on_contacts && !docked) ++dockings;
        docked = power.on_contacts;
        return dockings == 2;
    }));
    EXPECT_GT(lowest, 0.1);
    EXPECT_THAT(done, testing::IsSupersetOf({"go_to_dock", "rest", "leave_dock", "explore"}));
    expect_no_harm(rig);
}

TEST(RobotLife, WaitsOnItsDockForTheEndOfARequestEvenIfItIsFull) {
    LifeRig rig(world::random_room(3), tree());
    std::set<std::string> done;
    const auto docked = [&] { return rig.world().power(0).on_contacts; };
    ASSERT_TRUE(lives_until(rig, 1min, done, [&] { return !docked(); }));
    rig.want_dock(true);
    ASSERT_TRUE(lives_until(rig, 5min, done, docked));
    ASSERT_GT(rig.world().power(0).level, 0.95);
    EXPECT_FALSE(lives_until(rig, 2 * Docking::settle, done, [&] { return !docked(); }))
        << "it left its dock";
    rig.want_dock(false);
    EXPECT_TRUE(lives_until(rig, 1min, done, [&] { return !docked(); }));
    expect_no_harm(rig);
}

TEST(RobotLife, CentersItselfOnItsDock) {
    for (std::uint64_t seed = 300; seed < (tests::sanitized ? 303 : 320); ++seed) {
        SCOPED_TRACE(seed);
        LifeRig rig(world::random_room(seed), tree());
        const auto docked = dock(rig, 40s, 5min);
        ASSERT_TRUE(docked);
        EXPECT_LE(docked->off, 0.02);
        EXPECT_LE(docked->slant, 3 * std::numbers::pi / 180);
        expect_no_harm(rig);
    }
}

TEST(RobotLife, SearchesForADockThatItHasNotSeen) {
    for (std::uint64_t seed = 20; seed < 25; ++seed) {
        SCOPED_TRACE(seed);
        world::WorldPlan plan = world::random_room(seed);
        // The start is at the charger, which was moved to the position of the cube.
        plan.charger->pose = {plan.cubes.front().at.x, plan.cubes.front().at.y, 0};
        plan.cubes.clear();
        LifeOptions options;
        options.model.battery.level = 0.28;
        LifeRig rig(plan, tree(), options);
        std::set<std::string> done;
        EXPECT_TRUE(lives_until(rig, 6min, done, [&] { return rig.world().power(0).on_contacts; }));
        expect_no_harm(rig);
    }
}

TEST(RobotLife, GoesToACubeThatItSeesAndPlays) {
    world::WorldPlan plan;
    plan.size = {5, 5};
    plan.starts = {{1, 2.5, 0}};
    plan.cubes = {{"cube", {3, 2.8}}};
    LifeRig rig(plan, tree());
    std::set<std::string> done;
    EXPECT_TRUE(lives_until(rig, 1min, done, [&] { return done.contains("spin"); }));
    EXPECT_LT(distance(position(rig.world().pose(0)), rig.world().cube_at(0)), 0.35);
    expect_no_harm(rig);
}

TEST(RobotLife, GoesAroundTheEndOfAWallToACube) {
    // It sees the cube past the end of the wall, but does not fit through on the straight line.
    world::WorldPlan plan;
    plan.size = {5, 5};
    plan.starts = {{1, 2.5, 0}};
    plan.walls = {{{2.2, 2.55}, {2.2, 5}}};
    plan.cubes = {{"cube", {3.2, 2.5}}};
    LifeRig rig(plan, tree());
    std::set<std::string> done;
    EXPECT_TRUE(lives_until(rig, 25s, done, [&] { return done.contains("spin"); }));
    EXPECT_FALSE(done.contains("get_out"));
    expect_no_harm(rig);
}

TEST(RobotLife, GetsOutWhereItIsStuck) {
    world::WorldPlan plan = world::random_room(5);
    for (const char* wheel : {"left", "right"})
        plan.faults.push_back(
            {.kind = world::FaultKind::blocked_wheel, .at = 10s, .until = 20s, .what = wheel});
    LifeRig rig(plan, tree());
    std::set<std::string> done;
    EXPECT_TRUE(lives_until(rig, 30s, done, [&] { return done.contains("get_out"); }));
    EXPECT_TRUE(lives_until(rig, 10min, done, [&] { return rig.explored_share() >= 0.95; }));
    expect_no_harm(rig);
}

TEST(RobotLife, HoldsStillWhileItIsCarried) {
    LifeRig rig(world::random_room(6), tree());
    rig.live(10s);
    rig.world().pick_up(0);
    rig.live(3s);
    EXPECT_EQ(rig.top(), "be_carried");
    EXPECT_EQ(rig.world().wheel_speeds(0), world::WheelSpeeds{});
    ASSERT_TRUE(rig.world().put_down(0, rig.world().pose(0)).has_value());
    rig.live(3s);
    EXPECT_NE(rig.top(), "be_carried");
}

TEST(RobotLife, StaysOutOfTheStairwell) {
    world::WorldPlan plan;
    plan.size = {5, 5};
    plan.starts = {{1, 1, 0}};
    plan.cliffs = {{{2.5, 2}, {3.5, 3.2}}};
    LifeRig rig(plan, tree());
    rig.live(2min);
    expect_no_harm(rig);
}

/// Another program locates the robot: first wrongly, then where it is.
TEST(RobotLife, NavigatesInTheMapOfAnotherProgram) {
    world::WorldPlan plan;
    plan.size = {6, 6};
    plan.starts = {{1, 1, 0}};
    const Pose world_in_map{100, 50, 1};
    const Pose goal = composed(world_in_map, {4, 3, 0});
    LifeRig rig(plan, fmt::format(R"({{"base": "tour", "behaviors": [
        {{"class": "queue", "id": "tour", "children": [
          {{"class": "act", "id": "look", "action": "look"}},
          {{"class": "act", "id": "go", "action": {{"go_to": {}, "y": {}}}}},
          {{"class": "idle", "id": "end"}}]}}]}})",
                                  goal.x, goal.y));
    Navigator& navigator = rig.navigator();
    navigator.use_frame(std::nullopt);
    EXPECT_FALSE(navigator.go_to(position(goal), rig.now()));
    EXPECT_EQ(navigator.why_not(), "no node of ROS 2 has published where the robot is");
    // Where it started, as long as its wheels do not slip.
    const auto locate = [&](const Pose& world) { navigator.use_frame(composed(world, plan.starts.front())); };
    for (int i = 0; i < 10; ++i) {
        locate({100.7, 50.4, 1});
        rig.live(1s);
    }
    std::set<std::string> done;
    EXPECT_TRUE(lives_until(rig, 2min, done, [&] {
        locate(world_in_map);
        return rig.top() == "end";
    }));
    EXPECT_LT(distance(position(rig.world().pose(0)), {4, 3}), 0.4);
    EXPECT_LT(distance(position(navigator.pose()), position(goal)), 0.4);
    expect_no_harm(rig);
}

TEST(RobotClasses, RefuseAMovementThatDoesNotExist) {
    const std::string bad = R"({"base": "a", "behaviors": [
        {"class": "act", "id": "a", "action": {"drive": "MOVE_UP_1", "for": "1s"}}]})";
    try {
        LifeRig rig(world::random_room(1), bad);
        FAIL() << "it took the tree";
    } catch (const std::runtime_error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("MOVE_"));
    }
}

TEST(RobotClasses, GoSomewhereTurnAndDrive) {
    world::WorldPlan plan;
    plan.size = {6, 6};
    plan.starts = {{1, 1, 0}};
    LifeRig rig(plan, R"({"base": "tour", "behaviors": [
        {"class": "queue", "id": "tour", "children": [
          {"class": "act", "id": "look", "action": "look"},
          {"class": "act", "id": "go", "action": {"go_to": 3, "y": 2}},
          {"class": "act", "id": "turn", "action": {"turn": -90}},
          {"class": "act", "id": "drive", "action": {"drive": "MOVE_FW_1", "for": "2s"}},
          {"class": "idle", "id": "end"}]}]})");
    std::set<std::string> done;
    ASSERT_TRUE(lives_until(rig, 2min, done, [&] { return rig.top() == "turn"; }));
    EXPECT_LT(distance(position(rig.world().pose(0)), {4, 3}), 0.4);
    const double heading = rig.world().pose(0).heading;
    ASSERT_TRUE(lives_until(rig, 1min, done, [&] { return rig.top() == "drive"; }));
    EXPECT_NEAR(wrapped_angle(rig.world().pose(0).heading - heading), -1.57, 0.5);
    ASSERT_TRUE(lives_until(rig, 1min, done, [&] { return rig.top() == "end"; }));
    expect_no_harm(rig);
}

}  // namespace
}  // namespace caribou::robot
