#include "motion/obstacle_memory.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace caribou::motion {
namespace {

using namespace std::chrono_literals;

constexpr double half_turn = std::numbers::pi;

class ObstacleMemoryTest : public testing::Test {
protected:
    static constexpr double reach = 0.65;
    static constexpr double hull = 0.15;
    static constexpr double infinite = std::numeric_limits<double>::infinity();

    /// Returns a scan with one beam at `angle` in the lidar's frame.
    static LidarScan beam(double angle, double range) { return {angle, 0.1, {static_cast<float>(range)}}; }
    Clearance around(const Pose& robot) const {
        Clearance clearance{hull, 0.03};
        memory.add_to(clearance, robot);
        return clearance;
    }
    double ahead(const Pose& robot) const { return around(robot).ahead(); }

    ObstacleMemory memory{reach};
    Instant now = Instant{} + 1h;
};

TEST_F(ObstacleMemoryTest, KeepsAPointWhileTheRobotMovesAndTurns) {
    memory.see({1.0, 2.0, half_turn / 2.0}, {}, beam(0.0, 0.5), now);  // the point is at (1, 2.5)
    EXPECT_NEAR(ahead({1.0, 2.0, half_turn / 2.0}), 0.5 - hull, 1e-6);
    EXPECT_NEAR(ahead({1.0, 2.2, half_turn / 2.0}), 0.3 - hull, 1e-6);
    EXPECT_NEAR(ahead({0.5, 2.5, 0.0}), 0.5 - hull, 1e-6);
    EXPECT_NEAR(around({1.5, 2.5, 0.0}).behind(), 0.5 - hull, 1e-6);
    EXPECT_EQ(ahead({1.5, 2.5, 0.0}), infinite);
    EXPECT_EQ(ahead({1.0, 2.0, 0.0}), infinite) << "it is to the left";
}

TEST_F(ObstacleMemoryTest, AddsTheLidarsOwnPose) {
    // The lidar is 0.1 m in front of and 0.02 m to the left of the center, and faces left.
    memory.see({0.0, 0.0, half_turn / 2.0}, {0.1, 0.02, half_turn / 2.0}, beam(-half_turn / 2.0, 0.3), now);
    // In the world: 0.1 m up, 0.02 m to the left, then 0.3 m up.
    EXPECT_NEAR(ahead({-0.02, 0.0, half_turn / 2.0}), 0.4 - hull, 1e-6);
    EXPECT_EQ(ahead({0.38, 0.0, half_turn / 2.0}), infinite);
}

TEST_F(ObstacleMemoryTest, TurnsByTheAngleOfEachBeam) {
    constexpr float none = std::numeric_limits<float>::infinity();
    memory.see({0.0, 0.0, 0.3}, {}, {-0.2, 0.1, {none, none, none, 0.4F}}, now);  // at 0.3 - 0.2 + 0.3 rad
    EXPECT_NEAR(ahead({0.0, 0.0, 0.4}), 0.4 - hull, 1e-6);
    EXPECT_EQ(ahead({0.0, 0.0, 1.4}), infinite);
}

TEST_F(ObstacleMemoryTest, ForgetsWhatNoScanHasShownForFiveSeconds) {
    memory.see({}, {}, beam(0.0, 0.5), now);
    memory.see({}, {}, beam(half_turn, 0.5), now += ObstacleMemory::lasts);
    EXPECT_NEAR(ahead({}), 0.5 - hull, 1e-6);
    memory.see({}, {}, beam(half_turn, 0.5), now += 1ms);
    EXPECT_EQ(ahead({}), infinite);
    EXPECT_NEAR(around({}).behind(), 0.5 - hull, 1e-6) << "it was shown again and again";
}

TEST_F(ObstacleMemoryTest, CountsPointsThatAreCloseTogetherAsOneTheLatest) {
    memory.see({}, {}, beam(0.0, 0.50), now);
    memory.see({}, {}, beam(0.0, 0.52), now);
    EXPECT_NEAR(ahead({}), 0.52 - hull, 1e-6) << "the wall was measured again";
    memory.see({}, {}, beam(0.0, 0.56), now);
    EXPECT_NEAR(ahead({}), 0.52 - hull, 1e-6) << "another thing behind the first";
}

TEST_F(ObstacleMemoryTest, KeepsPointsApartThatDifferInOneDirectionOnly) {
    memory.see({}, {}, beam(0.0, 0.5), now);
    memory.see({0.0, 0.04, 0.0}, {}, beam(0.0, 0.45), now);
    EXPECT_NEAR(ahead({}), 0.45 - std::sqrt(hull * hull - 0.04 * 0.04), 1e-6);
    memory.see({0.0, 0.04, 0.0}, {}, beam(0.0, 0.46), now);
    EXPECT_NEAR(ahead({}), std::min(0.46 - std::sqrt(hull * hull - 0.04 * 0.04), 0.5 - hull), 1e-6);
}

TEST_F(ObstacleMemoryTest, RenewsThePointThatItMerges) {
    memory.see({}, {}, beam(0.0, 0.5), now);
    memory.see({}, {}, beam(0.0, 0.51), now += 4s);
    memory.see({}, {}, beam(half_turn, 0.5), now += 4s);
    EXPECT_NEAR(ahead({}), 0.51 - hull, 1e-6);
}

TEST_F(ObstacleMemoryTest, KeepsOnlyWhatIsWithinReachOfTheMiddle) {
    memory.see({}, {}, beam(0.0, reach + 0.01), now);
    EXPECT_EQ(ahead({}), infinite);
    memory.see({}, {0.2, 0.0, 0.0}, beam(0.0, 0.5), now);  // 0.7 m from the middle
    EXPECT_EQ(ahead({}), infinite);
    memory.see({}, {-0.2, 0.0, 0.0}, beam(0.0, 0.6), now);
    EXPECT_NEAR(ahead({}), 0.4 - hull, 1e-6);
    memory.see({-0.3, 0.0, 0.0}, {}, beam(half_turn, 0.5), now);
    EXPECT_EQ(ahead({}), infinite) << "the robot went away from it";
}

TEST_F(ObstacleMemoryTest, PassesOverBeamsWithoutAReading) {
    memory.see({}, {}, beam(0.0, std::numeric_limits<double>::quiet_NaN()), now);
    memory.see({}, {}, beam(0.0, infinite), now);
    EXPECT_EQ(ahead({}), infinite);
}

}  // namespace
}  // namespace caribou::motion
