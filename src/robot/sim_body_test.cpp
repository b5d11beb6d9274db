// Propulsion and the simulated world together.
#include "robot/sim_body.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.hpp"
#include "loop/virtual_loop.hpp"
#include "motion/motion_audit.hpp"
#include "motion/null_body.hpp"
#include "motion/thread_propulsion.hpp"
#include "robot/cube_places.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;

class SimBodyTest : public testing::Test, public motion::MotionEvents {
protected:
    static world::WorldPlan room() {
        world::WorldPlan plan;
        plan.size = {4.0, 4.0};
        plan.starts = {{1.0, 2.0, 0.0}};
        return plan;
    }
    explicit SimBodyTest(const world::WorldPlan& plan = room())
        : world(world::World(plan), loop.clock()),
          body(world, world.now().add_robot().value()),
          propulsion(loop, body, settings, *this) {
        propulsion.start();
        propulsion.permit({true, {motion::MotionSource::ai}});
    }
    void TearDown() override {
        for (const std::string& finding : audit.findings()) ADD_FAILURE() << finding;
    }

    void hold(std::string_view text, Duration time) {
        for (Duration left = time; left > Duration::zero(); left -= 100ms) {
            propulsion.order({motion::MotionSource::ai, motion::MovementCommand::parse(text).value()});
            loop.advance(std::min<Duration>(left, 100ms));
        }
    }
    std::size_t sensor(const std::string& name) const {
        std::size_t i = 0;
        while (body.plan().sensors.at(i).name != name) ++i;
        return i;
    }
    Pose pose() { return world.now().pose(0); }

    void on_answer(const motion::MotionAnswer&) override {}
    void on_report(const motion::MotionReport& report) override { audit.observe(report); }

    motion::MotionSettings settings;
    VirtualLoop loop;
    RunningWorld world;
    SimBody body;
    motion::MotionAudit audit{settings};
    motion::ThreadPropulsion propulsion;
};

TEST_F(SimBodyTest, KnowsWhichFaultsEndTheDriving) {
    struct Unheard final : motion::MotionEvents {
        void on_answer(const motion::MotionAnswer&) override {}
        void on_report(const motion::MotionReport&) override {}
    };
    Unheard unheard;
    for (const motion::BodyFault& fault : body.faults()) {
        SCOPED_TRACE(fault.name);
        VirtualLoop time;
        RunningWorld place(world::World(room()), time.clock());
        SimBody broken(place, place.now().add_robot().value());
        motion::ThreadPropulsion driving(time, broken, settings, unheard);
        driving.start();
        driving.permit({true, {motion::MotionSource::ai}});
        ASSERT_TRUE(broken.set_fault(fault.name, true));
        for (int i = 0; i < 60; ++i) {
            const auto movement = motion::MovementCommand::parse(i < 20 ? "MOVE_FW_2" : "SWIV_LEFT_2");
            driving.order({motion::MotionSource::ai, movement.value()});
            time.advance(100ms);
        }
        EXPECT_EQ(!driving.report().faults.empty(), fault.ends);
    }
}

TEST_F(SimBodyTest, SeesCubesAndTheDockFromWhereItStands) {
    world::WorldPlan plan = room();
    plan.cubes = {{"far", {3.0, 2.0}}, {"near", {2.0, 2.5}}, {"behind", {0.5, 2.0}}};
    plan.charger = world::Charger{{0.5, 2.0, 0.3}};
    RunningWorld other(world::World(plan), loop.clock());
    SimBody seeing(other, other.now().add_robot().value());
    const auto reading = seeing.read(sensor("eyes"));
    const auto* const sights = std::get_if<std::shared_ptr<const motion::Sights>>(&reading);
    ASSERT_TRUE(sights);
    ASSERT_EQ((*sights)->cubes.size(), 2U);
    EXPECT_NEAR((*sights)->cubes[0].pose.x, 1.0, 1e-9);
    EXPECT_NEAR((*sights)->cubes[0].pose.y, 0.5, 1e-9);
    EXPECT_EQ((*sights)->cubes[0].name, "near");
    EXPECT_EQ((*sights)->cubes[1].name, "far");
    ASSERT_TRUE((*sights)->dock);
    EXPECT_NEAR((*sights)->dock->x, -0.5, 1e-9);
    EXPECT_NEAR((*sights)->dock->heading, 0.3, 1e-9);
}

TEST_F(SimBodyTest, GoesWherePropulsionDrivesIt) {
    hold("MOVE_FW_2", 2s);
    EXPECT_GT(pose().x, 1.3);
    const motion::Odometry odometry = propulsion.report().odometry;
    EXPECT_NEAR(odometry.pose.x, pose().x - 1.0, 0.03);
    EXPECT_EQ(propulsion.report().state, motion::MovementState::forward);
    hold("SWIV_LEFT_2", 1s);
    EXPECT_GT(pose().heading, 0.3);
}

TEST_F(SimBodyTest, StopsBeforeTheWallAndTouchesNothing) {
    hold("MOVE_FW_3", 15s);
    EXPECT_GT(pose().x, 4.0 - 0.15 - 0.2);
    EXPECT_EQ(world.now().record(0).contacts, 0U);
    EXPECT_EQ(propulsion.report().reason, motion::MotionReason::obstacle_stop);
    hold("MOVE_BW_3", 30s);
    EXPECT_LT(pose().x, 0.15 + 0.2);
    EXPECT_EQ(world.now().record(0).contacts, 0U);
}

TEST_F(SimBodyTest, GetsStuckWithABlockedWheelAndSaysSo) {
    world.now().apply({.kind = world::FaultKind::blocked_wheel, .what = "left"});
    hold("MOVE_FW_2", 3s);
    EXPECT_TRUE(propulsion.report().stuck);
}

TEST_F(SimBodyTest, FindsAnEncoderThatLies) {
    world.now().apply({.kind = world::FaultKind::lying_encoder, .what = "right", .value = 3.0});
    hold("MOVE_FW_2", 3s);
    EXPECT_TRUE(propulsion.report().faults.contains(motion::MotionFault::encoder_disagreement));
}

TEST_F(SimBodyTest, PowersDownWhatCanBePoweredUpAgain) {
    const std::size_t lidar = sensor("lidar");
    EXPECT_FALSE(std::holds_alternative<motion::NoReading>(body.read(lidar)));
    ASSERT_TRUE(body.set_power(lidar, false));
    EXPECT_TRUE(std::holds_alternative<motion::NoReading>(body.read(lidar)));
    ASSERT_TRUE(body.set_power(lidar, true));
    EXPECT_FALSE(std::holds_alternative<motion::NoReading>(body.read(lidar)));
    EXPECT_EQ(body.set_power(sensor("imu"), false).error().message, "imu cannot be powered down");
}

TEST_F(SimBodyTest, ScansTenTimesASecond) {
    const std::size_t lidar = sensor("lidar");
    const motion::SensorReading first = body.read(lidar);
    loop.advance(90ms);
    EXPECT_EQ(body.read(lidar), first);
    loop.advance(10ms);
    EXPECT_NE(body.read(lidar), first);
}

TEST_F(SimBodyTest, ChecksEveryPart) {
    world.now().apply({.kind = world::FaultKind::dead_sensor, .what = "cliffs"});
    std::vector<std::string> failing;
    for (const motion::PartCheck& check : body.self_check())
        if (!check.outcome && check.required) failing.push_back(check.part);
    EXPECT_EQ(failing, (std::vector<std::string>{"cliff_front_left", "cliff_front_right"}));
}

TEST_F(SimBodyTest, StopsWhenSomebodyPressesTheEmergencyStop) {
    hold("MOVE_FW_2", 1s);
    body.press_emergency_stop(true);
    loop.advance(500ms);
    EXPECT_EQ(propulsion.report().stop, motion::StopCause::emergency_input);
    EXPECT_EQ(propulsion.report().driven, motion::WheelSpeeds{});
}

class CliffTest : public SimBodyTest {
protected:
    static world::WorldPlan edge() {
        world::WorldPlan plan = room();
        plan.cliffs = {{{2.0, 0.0}, {3.0, 4.0}}};
        return plan;
    }
    CliffTest() : SimBodyTest(edge()) {}
};

TEST_F(CliffTest, DoesNotFallHoweverFastItComes) {
    hold("MOVE_FW_3", 20s);
    EXPECT_EQ(world.now().record(0).falls, 0U);
    EXPECT_LT(pose().x, 2.0);
}

/// A post that is thin enough for the gaps between the cones of the range sensors.
class PostTest : public SimBodyTest {
protected:
    explicit PostTest(double aside) : SimBodyTest(post(aside)) {}
    void TestBody() override {}

    static world::WorldPlan post(double aside) {
        world::WorldPlan plan = room();
        plan.obstacles = {{.at = {2.2, 2.0 + aside}, .radius = 0.01}};
        return plan;
    }

public:
    /// Returns the speed at which a robot with a dead lidar hits a post beside the middle of its way.
    static double impact(double aside) {
        PostTest drive(aside);
        EXPECT_TRUE(drive.body.set_fault("dead_sensor.lidar", true));
        drive.hold("MOVE_FW_3", 12s);
        EXPECT_GT(drive.pose().x, 1.5);
        return drive.world.now().record(0).hardest_contact;
    }
};

TEST(Post, IsHitAtLevelOneAtMostWithoutALidar) {
    double hardest = 0.0;
    for (int millimetres = -145; millimetres <= 145; millimetres += 10)
        hardest = std::max(hardest, PostTest::impact(millimetres / 1000.0));
    EXPECT_LE(hardest, motion::MotionSettings{}.level_1 + 0.01);
    EXPECT_GT(hardest, motion::MotionSettings{}.creep_speed) << "no post was in a gap";
}

/// Drives at random, half of the time straight ahead at full speed.
class RandomDriver final : public motion::MotionEvents {
public:
    explicit RandomDriver(std::uint64_t seed)
        : random_(seed), world_(world::World(world::random_room(seed)), loop_.clock()) {
        propulsion_.start();
        propulsion_.permit({true, {motion::MotionSource::ai}});
    }
    const world::Record& drive_for(Duration time) {
        for (const Instant end = loop_.clock().now() + time; loop_.clock().now() < end;) {
            const auto level = [&] { return static_cast<int>(random_.between(-3, 3)); };
            const auto command = random_.chance(0.5) ? motion::MovementCommand::of(3, 3)
                                                     : motion::MovementCommand::of(level(), level());
            if (!command) continue;
            propulsion_.order({motion::MotionSource::ai, *command, 1s});
            loop_.advance(1s);
        }
        return world_.now().record(0);
    }
    const std::vector<std::string>& findings() const { return audit_.findings(); }

private:
    void on_answer(const motion::MotionAnswer&) override {}
    void on_report(const motion::MotionReport& report) override { audit_.observe(report); }

    Random random_;
    VirtualLoop loop_;
    RunningWorld world_;
    SimBody body_{world_, world_.now().add_robot().value()};
    motion::MotionAudit audit_{motion::MotionSettings{}};
    motion::ThreadPropulsion propulsion_{loop_, body_, {}, *this};
};

TEST(RandomRooms, AreLeftUntouchedHoweverTheRobotIsDriven) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        RandomDriver driver(seed);
        const world::Record& record = driver.drive_for(1min);
        EXPECT_GT(record.distance, 2.0) << "seed " << seed;
        EXPECT_LE(record.hardest_contact, motion::MotionSettings{}.creep_speed) << "seed " << seed;
        EXPECT_EQ(record.falls, 0U) << "seed " << seed;
        EXPECT_TRUE(driver.findings().empty()) << "seed " << seed << ": " << driver.findings().front();
    }
}

TEST(NullBody, TakesEveryOrderAndKnowsNoState) {
    class Silence final : public motion::MotionEvents {
        void on_answer(const motion::MotionAnswer&) override {}
        void on_report(const motion::MotionReport&) override {}
    } silence;
    VirtualLoop loop;
    motion::NullBody body;
    motion::ThreadPropulsion propulsion(loop, body, {}, silence);
    propulsion.start();
    propulsion.permit({true, {motion::MotionSource::ai}});
    propulsion.order({motion::MotionSource::ai, motion::MovementCommand::of(1, 1).value(), 2s});
    loop.advance(1s);
    EXPECT_EQ(propulsion.report().state, motion::MovementState::unknown);
    EXPECT_EQ(propulsion.report().reason, motion::MotionReason::blind) << "at creep speed";
    EXPECT_TRUE(propulsion.report().faults.empty());
}

TEST(CubePlaces, LetARobotHearACubeBetterFromNearby) {
    struct Ear final : cubes::RadioEvents {
        void on_advertisement(const cubes::Advertisement& heard) override {
            rssi = heard.rssi;
            name = heard.name;
        }
        void on_status(const cubes::RadioStatus&) override {}
        void on_connected() override {}
        void on_connect_failed(const Error&) override {}
        void on_disconnected(const Error&) override {}
        void on_value(cubes::Characteristic, ByteView) override {}
        void on_written(cubes::Characteristic) override {}
        std::optional<int> rssi;
        std::string name;
    };
    world::WorldPlan plan;
    plan.size = {30, 4};
    plan.starts = {{1, 2, 0}};
    plan.cubes = {{"blue cube", {20, 2}}};
    VirtualLoop loop;
    RunningWorld world(world::World(plan), loop.clock());
    const world::RobotId robot = world.now().add_robot().value();
    cubes::SimulatedRadio radio(loop);
    Ear ear;
    radio.attach(&ear);
    const CubePlaces places(loop, radio, [&] { return cubes_around(world.now(), robot); });
    const auto heard_at = [&](double x) {
        EXPECT_TRUE(world.now().move_cube(0, {x, 2}));
        ear.rssi.reset();
        loop.advance(2s);
        return ear.rssi;
    };
    ASSERT_TRUE(radio.start_scan());
    EXPECT_FALSE(heard_at(20)) << "too far away";
    const auto far = heard_at(10);
    const auto near = heard_at(2);
    ASSERT_TRUE(far && near);
    EXPECT_GT(*near, *far + 10);
    EXPECT_EQ(ear.name, "blue cube");
}

TEST_F(SimBodyTest, IsBrokenAndMendedByName) {
    ASSERT_TRUE(body.set_fault("dead_sensor.lidar", true));
    EXPECT_TRUE(std::holds_alternative<motion::NoReading>(SimBody(world, 0).read(sensor("lidar"))));
    EXPECT_EQ(std::ranges::count_if(body.faults(), &motion::BodyFault::broken), 1);
    EXPECT_EQ(body.set_fault("dead_sensor.lidar", true).error().message,
              "dead_sensor.lidar is broken already");
    ASSERT_TRUE(body.set_fault("dead_sensor.lidar", false));
    EXPECT_EQ(std::ranges::count_if(body.faults(), &motion::BodyFault::broken), 0);
    EXPECT_NE(body.set_fault("dead_sensor.lider", true).error().message.find("did you mean"),
              std::string::npos);
}

}  // namespace
}  // namespace caribou::robot
