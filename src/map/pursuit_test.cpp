#include "map/pursuit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "map/path.hpp"

namespace caribou::map {
namespace {

constexpr double period = 0.1;  // s

Pose rolled(const Pose& pose, const Velocity& velocity) {
    const double turn = velocity.turn * period;
    const Vec2 way = towards(pose.heading + turn / 2) * (velocity.forward * period);
    return {pose.x + way.x, pose.y + way.y, wrapped_angle(pose.heading + turn)};
}

/// An empty floor of 6 x 6 m around the origin.
OccupancyGrid floor_grid() {
    OccupancyGrid grid(GridFrame::around({-3, -3}, {3, 3}, 0.1));
    for (std::size_t i = 0; i < grid.frame().size(); ++i) grid.set(grid.frame().cell_of(i), Occupancy::free);
    return grid;
}

const CostSettings robot{.radius = 0.23, .comfort = 0.4};

TEST(Pursuit, DrivesStraightAtFullSpeedToAPointFarAhead) {
    const PursuitSettings settings;
    Pursuit pursuit(settings);
    EXPECT_EQ(pursuit.next(nullptr, {0, 0, 0}, {0.5, 0}, 3), (Velocity{settings.speed, 0.0}));
}

TEST(Pursuit, DrivesTheCircleToAPointAside) {
    Pursuit pursuit(PursuitSettings{});
    Pose pose{0, 0, 0};
    const Velocity velocity = pursuit.next(nullptr, pose, {0.4, 0.2}, 3);
    EXPECT_GT(velocity.forward, 0.1);
    EXPECT_NEAR(velocity.turn / velocity.forward, 2 * 0.2 / (0.4 * 0.4 + 0.2 * 0.2), 1e-9);
}

TEST(Pursuit, IsSlowerInATighterCurveAndAtTheEnd) {
    const PursuitSettings settings;
    Pursuit pursuit(settings);
    const Velocity wide = pursuit.next(nullptr, {}, {0.5, 0.1}, 3);
    const Velocity tight = pursuit.next(nullptr, {}, {0.3, 0.3}, 3);
    EXPECT_LT(tight.forward, wide.forward);
    EXPECT_LE(tight.forward * tight.turn, settings.side_acceleration + 1e-9);
    EXPECT_NEAR(pursuit.next(nullptr, {}, {0.4, 0}, 0.4).forward, 0.4 * settings.slowing, 1e-9);
    EXPECT_EQ(pursuit.next(nullptr, {}, {0.01, 0}, 0.01).forward, settings.end_speed);
}

TEST(Pursuit, TurnsOnTheSpotToWhatIsFarAsideUntilItIsAligned) {
    const PursuitSettings settings;
    Pursuit pursuit(settings);
    Pose pose{0, 0, 0};
    const Vec2 behind{-0.5, 0.1};
    int turns = 0;
    Velocity velocity = pursuit.next(nullptr, pose, behind, 1);
    for (; velocity.forward == 0; velocity = pursuit.next(nullptr, pose, behind, 1), ++turns) {
        EXPECT_GT(velocity.turn, 0);
        pose = rolled(pose, velocity);
    }
    EXPECT_GT(turns, 10);
    EXPECT_LE(std::abs(bearing_of(pose, behind)), settings.aligned);
}

TEST(Pursuit, TurnsOnTheSpotWhereItDoesNotFitOnTheCircle) {
    OccupancyGrid grid = floor_grid();
    const Pose pose{0, 0, 0};
    const Vec2 aim{0.3, 0.4};
    CostMap costs(grid, robot);
    const auto next = [&] { return Pursuit(PursuitSettings{}).next(&costs, pose, aim, 2); };
    EXPECT_GT(next().forward, 0);
    grid.set(grid.frame().cell_at({0.45, 0.0}), Occupancy::occupied);
    costs = CostMap(grid, robot);
    EXPECT_TRUE(costs.straight(position(pose), aim));
    EXPECT_EQ(next().forward, 0);
}

TEST(Pursuit, FollowsAPathWithCornersInCurvesWithoutTurningOnTheSpot) {
    const OccupancyGrid grid = floor_grid();
    const CostMap costs(grid, robot);
    PathGuide guide({{-2, 0}, {0, 0}, {0, 2}, {-2, 2}}, 0.25, 0.12);
    Pursuit pursuit(PursuitSettings{});
    Pose pose{-2, 0, 0};
    double farthest = 0;
    for (int i = 0; i < 400; ++i) {
        const Heading heading = guide.next(costs, pose);
        if (heading.arrived) break;
        const Velocity velocity = pursuit.next(&costs, pose, heading.aim, heading.distance);
        EXPECT_GT(velocity.forward, 0) << "at " << pose.x << ' ' << pose.y;
        pose = rolled(pose, velocity);
        const double off = pose.x > -0.6 && pose.y < 1 ? std::min(std::abs(pose.y), std::abs(pose.x)) : 0;
        farthest = std::max(farthest, off);
    }
    EXPECT_LT(distance(position(pose), {-2, 2}), 0.13);
    EXPECT_LT(farthest, 0.2) << "it cuts the corner by less";
}

}  // namespace
}  // namespace caribou::map
