#include "world/world.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.hpp"

namespace caribou::world {
namespace {

using namespace std::chrono_literals;

WorldPlan quiet_room() {
    WorldPlan plan;
    plan.size = {6, 6};
    plan.starts = {{3, 3, 0}};
    plan.noise = {.range = 0, .lidar = 0, .yaw_rate = 0, .acceleration = 0, .slip = 0};
    return plan;
}

RobotId add(World& world, std::optional<Pose> at = std::nullopt, RobotModel model = {}) {
    const auto robot = world.add_robot(std::move(model), at);
    EXPECT_TRUE(robot.has_value()) << robot.error().message;
    return robot.value_or(0);
}

/// Drives without reading sensors: sets random speeds at intervals.
void drive_blindly(World& world, std::uint64_t seed, Duration time) {
    Random random(seed);
    for (const Duration end = world.now() + time; world.now() < end; world.advance(200ms))
        for (RobotId robot = 0; robot < world.robot_count(); ++robot)
            world.drive(robot, {random.unit() * 1.2 - 0.5, random.unit() * 1.2 - 0.5});
}

TEST(World, DrivesStraightAheadAndCountsTheWay) {
    World world(quiet_room());
    const RobotId robot = add(world);
    world.drive(robot, {0.3, 0.3});
    world.advance(2s);
    EXPECT_NEAR(world.pose(robot).x, 3.6, 0.03);
    EXPECT_EQ(world.pose(robot).y, 3);
    EXPECT_NEAR(static_cast<double>(world.encoders(robot)->left),
                (world.pose(robot).x - 3) * world.model(robot).ticks_per_metre, 2);
}

TEST(World, TurnsOnTheSpotWhenWheelsGoAgainstEachOther) {
    World world(quiet_room());
    const RobotId robot = add(world);
    world.drive(robot, {-0.12, 0.12});
    world.advance(1s);
    EXPECT_NEAR(world.imu(robot)->yaw_rate, 1.0, 0.001);
    EXPECT_NEAR(world.pose(robot).heading, 1.0, 0.06);
    EXPECT_NEAR(distance(position(world.pose(robot)), {3, 3}), 0, 1e-9);
}

TEST(World, MotorsLagAndAccelerateWithinTheirLimit) {
    World world(quiet_room());
    const RobotId robot = add(world);
    world.drive(robot, {0.6, 0.6});
    double before = 0;
    for (int i = 0; i < 100; ++i) {
        world.advance(World::tick);
        const double speed = world.wheel_speeds(robot).left;
        EXPECT_GE(speed, before);
        EXPECT_LE(speed - before, world.model(robot).acceleration * 0.01 + 1e-12);
        before = speed;
    }
    EXPECT_NEAR(before, 0.6, 0.001);
}

TEST(World, SlipTakesFromTheWayButNotFromTheEncoders) {
    WorldPlan plan = quiet_room();
    plan.noise.slip = 0.05;
    World world(plan);
    const RobotId robot = add(world);
    world.drive(robot, {0.3, 0.3});
    world.advance(5s);
    const double counted =
        static_cast<double>(world.encoders(robot)->left) / world.model(robot).ticks_per_metre;
    EXPECT_NEAR(world.record(robot).distance / counted, 0.95, 0.02);
}

TEST(World, AWallStopsTheRobotAndItsWheelsAndPressesABumper) {
    World world(quiet_room());
    const RobotId robot = add(world);
    world.drive(robot, {0.4, 0.4});
    world.advance(15s);
    EXPECT_NEAR(world.pose(robot).x, 6 - 0.15, 1e-3);
    EXPECT_TRUE(world.bumpers(robot)->front);
    EXPECT_FALSE(world.bumpers(robot)->rear);
    EXPECT_NEAR(world.record(robot).hardest_contact, 0.4, 0.001);
    const auto before = *world.encoders(robot);
    world.advance(1s);
    EXPECT_LE(world.encoders(robot)->left - before.left, 4);
    world.drive(robot, {-0.2, -0.2});
    world.advance(1s);
    EXPECT_FALSE(world.bumpers(robot)->any());
}

TEST(World, RangesTellTheGapFromTheHull) {
    World world(quiet_room());
    const RobotId robot = add(world, Pose{5, 3, 0});
    EXPECT_NEAR(world.ranges(robot)[0], 1 - 0.15, 1e-6);
    EXPECT_EQ(world.ranges(robot)[4], reading::no_echo);
    const LidarScan* scan = world.lidar(robot);
    ASSERT_TRUE(scan);
    EXPECT_NEAR(scan->ranges[0], 1, 1e-6);
    EXPECT_NEAR(scan->ranges[scan->ranges.size() / 4], 3, 1e-6);
}

TEST(World, BeamsDoNotComeBackFromUnknownAreas) {
    WorldPlan plan = quiet_room();
    plan.unknown = {{{4, 2}, {5, 4}}};
    World world(plan);
    const RobotId robot = add(world);
    EXPECT_EQ(world.lidar(robot)->ranges[0], reading::no_echo);
    world.drive(robot, {0.3, 0.3});
    world.advance(5s);
    EXPECT_GT(world.pose(robot).x, 4.2) << "nothing stands there";
}

TEST(World, APushedObstacleMovesUntilSomethingStandsBehindIt) {
    WorldPlan plan = quiet_room();
    plan.obstacles = {{{4, 3}, 0.1, true}};
    World world(plan);
    const RobotId robot = add(world);
    world.drive(robot, {0.3, 0.3});
    world.advance(5s);
    EXPECT_GT(world.obstacle_at(0).x, 4.2);
    EXPECT_EQ(world.record(robot).contacts, 0U);
    world.advance(20s);
    EXPECT_NEAR(world.obstacle_at(0).x, 5.9, 0.01);
    EXPECT_NEAR(world.pose(robot).x, 5.65, 0.01);
}

WorldPlan room_with_a_walker() {
    WorldPlan plan = quiet_room();
    plan.obstacles = {{.at = {4, 1}, .radius = 0.2, .walk = {{4, 5}}, .speed = 0.5, .pause = 2}};
    return plan;
}

TEST(World, AnObstacleWalksToTheEndOfItsWalkAndBack) {
    World world(room_with_a_walker());
    world.advance(4s);
    EXPECT_NEAR(world.obstacle_at(0).y, 3, 0.02);
    world.advance(5s);
    EXPECT_NEAR(world.obstacle_at(0).y, 5, 1e-9) << "it pauses there";
    world.advance(5s);
    EXPECT_NEAR(world.obstacle_at(0).y, 3, 0.05) << "on its way back";
    world.advance(60s);
    EXPECT_NEAR(world.obstacle_at(0).x, 4, 1e-9) << "it stays on its walk";
}

TEST(World, AWalkerStopsForARobotAndTurnsBack) {
    World world(room_with_a_walker());
    const RobotId robot = add(world, Pose{4, 3, 0});
    world.advance(4s);
    const double nearest = world.obstacle_at(0).y;
    EXPECT_NEAR(nearest, 3 - 0.2 - 0.15 - 0.3, 0.02);
    world.advance(1s);
    EXPECT_EQ(world.obstacle_at(0).y, nearest) << "it waits";
    world.advance(2s);
    EXPECT_LT(world.obstacle_at(0).y, nearest) << "it has turned back";
    EXPECT_EQ(world.record(robot).contacts, 0U);
}

TEST(World, BeamsSeeAWalkerWhereItIs) {
    World world(room_with_a_walker());
    const RobotId robot = add(world, Pose{2, 3, 0});
    EXPECT_GT(world.lidar(robot)->ranges[0], 3);
    world.advance(4s);
    EXPECT_NEAR(world.lidar(robot)->ranges[0], 1.8, 0.1);
}

TEST(World, ABatteryOfThePlanReplacesThatOfTheModel) {
    WorldPlan plan = quiet_room();
    plan.battery = {.minutes = 3, .level = 0.5};
    World world(plan);
    const RobotId robot = add(world);
    EXPECT_NEAR(world.power(robot).level, 0.5, 1e-3);
    EXPECT_NEAR(world.model(robot).battery.capacity, Battery{}.capacity / 10, 1e-6);
}

TEST(World, SeesRobotsAndStopsAtThem) {
    World world(quiet_room());
    const RobotId robot = add(world);
    const RobotId other = add(world, Pose{4, 3, 0});
    EXPECT_NEAR(world.ranges(robot)[0], 1 - 0.3, 1e-6);
    world.drive(robot, {0.3, 0.3});
    world.advance(10s);
    EXPECT_NEAR(world.pose(robot).x, 3.7, 1e-3);
    EXPECT_EQ(world.pose(other).x, 4);
}

TEST(World, LooksOverCubesButSeesThemAhead) {
    WorldPlan plan = quiet_room();
    plan.cubes = {{"one", {4, 3.2}}, {"two", {2, 3}}};
    World world(plan);
    const RobotId robot = add(world);
    EXPECT_EQ(world.ranges(robot)[0], reading::no_echo);
    const auto sights = world.cubes_in_sight(robot);
    ASSERT_EQ(sights.size(), 1U);
    EXPECT_EQ(sights[0].cube, 0U);
    EXPECT_NEAR(sights[0].bearing, std::atan2(0.2, 1), 1e-9);
    world.carry_cube(0, robot);
    world.drive(robot, {0.3, 0.3});
    world.advance(3s);
    EXPECT_EQ(world.cube_at(0), position(world.pose(robot)));
    EXPECT_TRUE(world.cubes_in_sight(robot).empty());
    EXPECT_FALSE(world.move_cube(0, {3.9, 6}).has_value());
    ASSERT_TRUE(world.move_cube(0, {1, 1}).has_value());
    EXPECT_EQ(world.cube_at(0), (Vec2{1, 1}));
    world.tap_cube(1);
    EXPECT_EQ(world.cube_taps(1), 1U);
}

TEST(World, ChargesOnTheContactsOnly) {
    WorldPlan plan = quiet_room();
    plan.charger = Charger{{2, 2, 1.0}};
    World world(plan);
    RobotModel model;
    model.battery.level = 0.5;
    const RobotId robot = add(world, Pose{2, 2.03, 0.8}, model);
    world.advance(10s);
    EXPECT_TRUE(world.power(robot).on_contacts);
    EXPECT_GT(world.power(robot).amperes, 1);
    EXPECT_GT(world.power(robot).level, 0.5);
    ASSERT_TRUE(world.charger_in_sight(robot));
    EXPECT_NEAR(world.charger_in_sight(robot)->heading, 0.2, 1e-9);
    world.drive(robot, {0.2, 0.2});
    world.advance(2s);
    EXPECT_FALSE(world.power(robot).on_contacts);
    EXPECT_LT(world.power(robot).amperes, 0);
}

TEST(World, AFullBatteryTakesNoMore) {
    WorldPlan plan = quiet_room();
    plan.charger = Charger{{3, 3, 0}};
    World world(plan);
    const RobotId robot = add(world);
    world.advance(600s);
    EXPECT_GT(world.power(robot).level, 0.99);
    EXPECT_NEAR(world.power(robot).amperes, 0, 0.01);
}

TEST(World, AnEmptyRobotStandsStill) {
    World world(quiet_room());
    RobotModel model;
    model.battery.level = 0.001;
    const RobotId robot = add(world, std::nullopt, model);
    world.drive(robot, {0.2, 0.2});
    world.advance(20s);
    EXPECT_EQ(world.power(robot).level, 0);
    EXPECT_EQ(world.wheel_speeds(robot), WheelSpeeds{});
}

TEST(World, ACliffIsFeltBeforeItIsFallenOver) {
    WorldPlan plan = quiet_room();
    plan.cliffs = {{{4, 0}, {5, 6}}};
    World world(plan);
    const RobotId robot = add(world);
    world.drive(robot, {0.3, 0.3});
    while (!world.cliffs(robot)->any()) world.advance(World::tick);
    EXPECT_TRUE(world.wheels_on_floor(robot));
    EXPECT_LT(world.pose(robot).x, 3.9);
    world.advance(2s);
    EXPECT_FALSE(world.wheels_on_floor(robot));
    EXPECT_EQ(world.record(robot).falls, 1U);
    EXPECT_GT(world.imu(robot)->tilt, 0.5);
}

TEST(World, WhoIsPickedUpSpinsItsWheelsForNothing) {
    World world(quiet_room());
    const RobotId robot = add(world);
    world.pick_up(robot);
    world.drive(robot, {0.3, 0.3});
    world.advance(1s);
    EXPECT_FALSE(world.wheels_on_floor(robot));
    EXPECT_EQ(position(world.pose(robot)), (Vec2{3, 3}));
    EXPECT_GT(world.encoders(robot)->left, 400);
    EXPECT_FALSE(world.put_down(robot, {0, 0, 0}).has_value());
    EXPECT_TRUE(world.put_down(robot, {1, 1, 2}).has_value());
    EXPECT_TRUE(world.wheels_on_floor(robot));
}

TEST(World, RefusesARobotWhereSomethingStands) {
    WorldPlan plan = quiet_room();
    plan.boxes = {{{1, 1}, {2, 2}}};
    World world(plan);
    EXPECT_EQ(world.add_robot({}, Pose{1.5, 1.5, 0}).error().code, Code::refused);
    EXPECT_EQ(world.add_robot({}, Pose{5.9, 3, 0}).error().code, Code::refused);
    EXPECT_TRUE(world.add_robot().has_value());
    EXPECT_EQ(world.add_robot().error().code, Code::not_found);
    EXPECT_EQ(world.add_robot({}, Pose{3.2, 3, 0}).error().code, Code::refused);
}

TEST(WorldFault, DeadSensorsSayNothingAndMend) {
    WorldPlan plan = quiet_room();
    for (const char* sensor : {"lidar", "imu", "bumpers", "cliffs", "encoders", "range.front"})
        plan.faults.push_back({.kind = FaultKind::dead_sensor, .at = 1s, .until = 2s, .what = sensor});
    World world(plan);
    const RobotId robot = add(world);
    const auto alive = [&] {
        return std::vector{world.lidar(robot) != nullptr,     world.imu(robot).has_value(),
                           world.bumpers(robot).has_value(),  world.cliffs(robot).has_value(),
                           world.encoders(robot).has_value(), !std::isnan(world.ranges(robot)[0])};
    };
    EXPECT_EQ(alive(), std::vector(6, true));
    world.advance(1s);
    EXPECT_EQ(alive(), std::vector(6, false));
    world.advance(1s);
    EXPECT_EQ(alive(), std::vector(6, true));
}

TEST(WorldFault, AStuckMotorGoesOnAndABlockedWheelDoesNotTurn) {
    WorldPlan plan = quiet_room();
    plan.faults = {{.kind = FaultKind::stuck_motor, .at = 1s, .until = 2s, .what = "left"},
                   {.kind = FaultKind::blocked_wheel, .at = 3s, .what = "right"}};
    World world(plan);
    const RobotId robot = add(world);
    world.drive(robot, {0.2, 0.2});
    world.advance(1500ms);
    world.drive(robot, {});
    world.advance(400ms);
    EXPECT_NEAR(world.wheel_speeds(robot).left, 0.2, 0.01);
    EXPECT_EQ(world.wheel_speeds(robot).right, 0);
    world.advance(1s);
    EXPECT_EQ(world.wheel_speeds(robot).left, 0);
    world.drive(robot, {0.2, 0.2});
    world.advance(1s);
    EXPECT_EQ(world.wheel_speeds(robot).right, 0);
    EXPECT_GT(world.wheel_speeds(robot).left, 0.1);
}

TEST(WorldFault, EncodersLieBatteriesSagAndChargersGo) {
    WorldPlan plan = quiet_room();
    plan.charger = Charger{{3, 3, 0}};
    plan.faults = {{.kind = FaultKind::lying_encoder, .what = "left", .value = 0},
                   {.kind = FaultKind::lying_encoder, .what = "right", .value = 2},
                   {.kind = FaultKind::low_battery, .at = 1s, .value = 0.1},
                   {.kind = FaultKind::removed_charger, .at = 1s, .until = 2s},
                   {.kind = FaultKind::picked_up, .at = 3s, .until = 4s}};
    World world(plan);
    const RobotId robot = add(world);
    world.advance(900ms);
    EXPECT_TRUE(world.power(robot).on_contacts);
    world.advance(200ms);
    EXPECT_FALSE(world.power(robot).on_contacts);
    EXPECT_LE(world.power(robot).level, 0.1);
    world.advance(1s);
    EXPECT_TRUE(world.power(robot).on_contacts);
    world.advance(1s);
    EXPECT_FALSE(world.wheels_on_floor(robot));
    world.advance(1s);
    EXPECT_TRUE(world.wheels_on_floor(robot));
    world.drive(robot, {0.1, 0.1});
    world.advance(1s);
    EXPECT_EQ(world.encoders(robot)->left, 0);
    EXPECT_NEAR(static_cast<double>(world.encoders(robot)->right), 2 * 2000 * world.record(robot).distance,
                20);
}

/// Everything that a test can observe of a robot.
auto seen(World& world, RobotId robot) {
    const auto ranges = world.ranges(robot);
    return std::tuple{world.pose(robot),
                      world.wheel_speeds(robot),
                      *world.encoders(robot),
                      *world.imu(robot),
                      world.power(robot),
                      *world.bumpers(robot),
                      std::vector(ranges.begin(), ranges.end()),
                      world.lidar(robot)->ranges};
}

RC_GTEST_PROP(WorldProperty, TheSameSeedGivesTheSameHistoryToTheBit, ()) {
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
    World whole(random_room(seed));
    World cut(random_room(seed));
    add(whole);
    add(cut);
    Random random(seed);
    for (int i = 0; i < 50; ++i) {
        const WheelSpeeds speeds{random.unit() - 0.3, random.unit() - 0.3};
        whole.drive(0, speeds);
        cut.drive(0, speeds);
        whole.advance(100ms);
        for (int piece = 0; piece < 20; ++piece) {
            cut.advance(5ms);
            if (random.chance(0.2)) static_cast<void>(cut.lidar(0));
        }
    }
    RC_ASSERT(seen(whole, 0) == seen(cut, 0));
}

RC_GTEST_PROP(WorldProperty, NothingEverStandsInAWallOrInAnother, ()) {
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
    WorldPlan plan = random_room(seed, 5);
    World world(plan);
    add(world);
    Random random(seed);
    for (int i = 0; i < 40 && world.robot_count() < 4; ++i)
        static_cast<void>(world.add_robot({}, Pose{random.unit() * 5, random.unit() * 5, 0}));
    for (int i = 0; i < 60; ++i) {
        drive_blindly(world, random.next(), 1s);
        for (RobotId robot = 0; robot < world.robot_count(); ++robot) {
            const Vec2 at = position(world.pose(robot));
            const double radius = world.model(robot).radius;
            world.terrain().each_wall_near(at, radius - 1e-9, [&](Vec2) { RC_FAIL("in a wall"); });
            for (RobotId other = 0; other < robot; ++other)
                RC_ASSERT(distance(at, position(world.pose(other))) >= 2 * radius - 1e-9);
            for (std::size_t k = 0; k < plan.obstacles.size(); ++k)
                RC_ASSERT(distance(at, world.obstacle_at(k)) >= radius + plan.obstacles[k].radius - 1e-9);
            for (const Area& box : plan.boxes) RC_ASSERT(!box.contains(at));
            RC_ASSERT(world.record(robot).hardest_contact <= 2 * world.model(robot).max_speed + 1e-9);
        }
        for (std::size_t k = 0; k < plan.obstacles.size(); ++k)
            world.terrain().each_wall_near(world.obstacle_at(k), plan.obstacles[k].radius - 1e-9,
                                           [&](Vec2) { RC_FAIL("an obstacle in a wall"); });
    }
}

RC_GTEST_PROP(WorldProperty, EnergyComesFromTheChargerAndGoesIntoWork, ()) {
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
    World world(random_room(seed));
    RobotModel model;
    model.battery.level = *rc::gen::element(0.002, 0.3, 1.0);
    const RobotId robot = add(world, std::nullopt, model);
    const double begin = world.power(robot).level * model.battery.capacity;
    double before = world.power(robot).level;
    for (int i = 0; i < 30; ++i) {
        drive_blindly(world, seed + static_cast<std::uint64_t>(i), 1s);
        const Power power = world.power(robot);
        RC_ASSERT(power.level >= 0 && power.level <= 1);
        if (world.record(robot).charged == 0) RC_ASSERT(power.level <= before);
        before = power.level;
    }
    const Record& record = world.record(robot);
    const double end = world.power(robot).level * model.battery.capacity;
    // A full battery does not accept all energy.
    RC_ASSERT(end <= begin + record.charged - record.spent + 1e-6);
    if (end < 0.98 * model.battery.capacity)
        RC_ASSERT(std::abs(begin + record.charged - record.spent - end) < 1e-3 * model.battery.capacity);
}

}  // namespace
}  // namespace caribou::world
