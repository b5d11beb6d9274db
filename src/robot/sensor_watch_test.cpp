#include "robot/sensor_watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using State = SensorWatch::State;

class SensorWatchTest : public testing::Test {
protected:
    /// Rounds every 100 ms, in which the lidar gives a reading or not.
    State run(Duration time, bool reads, Duration period = 100ms) {
        State last = State::unknown;
        for (const Instant end = round.at + time; round.at < end;) {
            round.at += period;
            if (reads) heard_at = round.at;
            round.samples = {{.sensor = 1, .heard_at = heard_at}};
            last = watch.states(round).at(1);
        }
        return last;
    }
    /// A round in which the lidar is switched off.
    State run_off() {
        round.at += 100ms;
        round.samples.clear();
        return watch.states(round).at(1);
    }

    motion::BodyPlan plan{
        .sensors = {{.name = "bumper", .kind = motion::SensorKind::bumper, .required = true},
                    {.name = "lidar", .kind = motion::SensorKind::lidar},
                    {.name = "eyes", .kind = motion::SensorKind::eyes}}};
    SensorWatch watch{plan};
    TelemetryRound round{.at = Instant(100s)};
    std::optional<Instant> heard_at;
};

TEST_F(SensorWatchTest, FindsASensorThatDiesAndComesBack) {
    EXPECT_EQ(run(10s, true), State::live);
    EXPECT_EQ(run(2s, false), State::live) << "a pause";
    EXPECT_EQ(run(100ms, false), State::silent);
    EXPECT_EQ(run(1h, false), State::silent);
    EXPECT_EQ(run(100ms, true), State::live);
}

TEST_F(SensorWatchTest, FindsASensorThatNeverGaveAReading) {
    EXPECT_EQ(run(2s, false), State::unknown);
    EXPECT_EQ(run(200ms, false), State::silent);
}

TEST_F(SensorWatchTest, DoesNotMissASensorThatIsSwitchedOff) {
    run(10s, true);
    EXPECT_EQ(run_off(), State::live);
    heard_at = round.at - 10min;
    EXPECT_EQ(run(2s, false), State::unknown) << "it has time to start";
    EXPECT_EQ(run(200ms, false), State::silent);
}

TEST_F(SensorWatchTest, GivesSensorsTimeAfterAPauseOfTelemetry) {
    run(10s, true);
    round.at += 1h;
    EXPECT_EQ(run(2s, false), State::unknown);
    EXPECT_EQ(run(200ms, false), State::silent);
}

TEST_F(SensorWatchTest, WaitsForThreeRoundsOfSlowTelemetry) {
    EXPECT_EQ(run(1min, true, 5s), State::live);
    EXPECT_EQ(run(15s, false, 5s), State::live);
    EXPECT_EQ(run(5s, false, 5s), State::silent);
}

TEST_F(SensorWatchTest, DoesNotBlameSensorsForAnAbsentDriver) {
    run(10s, true);
    round.motion.reasons.insert(motion::MotionReason::body_absent);
    EXPECT_EQ(run(1min, false), State::unknown);
    round.motion.reasons = {};
    EXPECT_EQ(run(2s, false), State::unknown);
    EXPECT_EQ(run(200ms, false), State::silent);
}

TEST_F(SensorWatchTest, LetsEyesReportChangesOnly) {
    State last = State::unknown;
    const auto look = [&](const motion::SensorReading& reading) {
        for (int i = 0; i < 100; ++i) {
            round.at += 100ms;
            round.samples = {{.sensor = 2, .reading = reading, .heard_at = Instant(100s)}};
            last = watch.states(round).at(2);
        }
        return last;
    };
    EXPECT_EQ(look(std::make_shared<const motion::Sights>()), State::live);
    EXPECT_EQ(look(motion::NoReading{}), State::silent);
}

TEST_F(SensorWatchTest, LeavesRequiredSensorsToPropulsion) {
    for (int i = 0; i < 100; ++i) {
        round.at += 100ms;
        round.samples = {{.sensor = 0}};
        EXPECT_EQ(watch.states(round).at(0), State::unknown);
    }
}

}  // namespace
}  // namespace caribou::robot
