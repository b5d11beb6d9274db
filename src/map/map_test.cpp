#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.hpp"
#include "map/cost_map.hpp"
#include "map/grid.hpp"
#include "map/map_picture.hpp"
#include "map/path.hpp"
#include "map/planner.hpp"
#include "map/scan_match.hpp"
#include "map/wave.hpp"

namespace caribou::map {
namespace {

/// Returns a grid from a drawing: `#` occupied, `.` free, space unknown; cells of 0.1 m, the last line at y =
/// 0.
OccupancyGrid drawn(const std::vector<std::string>& lines) {
    OccupancyGrid grid({.cell = 0.1,
                        .columns = static_cast<std::int32_t>(lines[0].size()),
                        .rows = static_cast<std::int32_t>(lines.size())});
    for (std::size_t line = 0; line < lines.size(); ++line)
        for (std::size_t column = 0; column < lines[line].size(); ++column)
            grid.set({static_cast<std::int32_t>(column), static_cast<std::int32_t>(lines.size() - 1 - line)},
                     lines[line][column] == '#'   ? Occupancy::occupied
                     : lines[line][column] == '.' ? Occupancy::free
                                                  : Occupancy::unknown);
    return grid;
}

OccupancyGrid random_grid(Random& random, std::int32_t columns, std::int32_t rows, double walls,
                          double unknown = 0) {
    OccupancyGrid grid({.cell = 0.1, .columns = columns, .rows = rows});
    for (std::int32_t row = 0; row < rows; ++row)
        for (std::int32_t column = 0; column < columns; ++column)
            grid.set({column, row}, random.chance(walls)     ? Occupancy::occupied
                                    : random.chance(unknown) ? Occupancy::unknown
                                                             : Occupancy::free);
    return grid;
}

/// Returns the ranges of a lidar with `beams` beams in a square room around the origin.
std::vector<float> scan_of_square(double half, const Pose& from, std::size_t beams) {
    std::vector<float> ranges;
    for (std::size_t i = 0; i < beams; ++i) {
        const Vec2 way = towards(from.heading +
                                 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(beams));
        const double x = way.x > 0 ? (half - from.x) / way.x : (-half - from.x) / way.x;
        const double y = way.y > 0 ? (half - from.y) / way.y : (-half - from.y) / way.y;
        ranges.push_back(static_cast<float>(std::min(x, y)));
    }
    return ranges;
}

ScanView view(const std::vector<float>& ranges, const Pose& from) {
    return {.from = from,
            .angle_step = 2 * std::numbers::pi / static_cast<double>(ranges.size()),
            .ranges = ranges};
}

TEST(OccupancyGrid, LearnsFromScansWhatIsFreeAndWhatIsNot) {
    OccupancyGrid grid(GridFrame::around({-2, -2}, {2, 2}, 0.1));
    const Pose from{0.2, -0.1, 0.5};
    const auto ranges = scan_of_square(1.52, from, 360);
    grid.add(view(ranges, from));
    EXPECT_EQ(grid.at(grid.frame().cell_at({0, 0})), Occupancy::free);
    EXPECT_EQ(grid.at(grid.frame().cell_at({1.52, 0})), Occupancy::occupied);
    EXPECT_EQ(grid.at(grid.frame().cell_at({1.8, 0})), Occupancy::unknown);
    EXPECT_EQ(grid.count(Occupancy::free) + grid.count(Occupancy::occupied) + grid.count(Occupancy::unknown),
              1600U);
    EXPECT_NEAR(static_cast<double>(grid.count(Occupancy::free)), 30 * 30, 40);
}

TEST(OccupancyGrid, ForgetsWhatHasGone) {
    OccupancyGrid grid(GridFrame::around({-2, -2}, {2, 2}, 0.1));
    const std::vector<float> near{0.55F};
    const std::vector<float> far{1.55F};
    const Cell cell = grid.frame().cell_at({0.55, 0.05});
    const Pose from{0, 0.05, 0};
    for (int i = 0; i < 3; ++i) grid.add(view(near, from));
    EXPECT_EQ(grid.at(cell), Occupancy::occupied);
    for (int i = 0; i < 13; ++i) grid.add(view(far, from));
    EXPECT_EQ(grid.at(cell), Occupancy::free);
}

TEST(OccupancyGrid, LearnsNothingFromBeamsThatDidNotComeBack) {
    OccupancyGrid grid(GridFrame::around({-2, -2}, {2, 2}, 0.1));
    const std::vector<float> ranges{INFINITY, NAN, -1.0F};
    grid.add(view(ranges, {}));
    EXPECT_EQ(grid.count(Occupancy::unknown), grid.frame().size());
}

TEST(OccupancyGrid, StandsScansThatEndFarOutside) {
    OccupancyGrid grid(GridFrame::around({-1, -1}, {1, 1}, 0.1));
    const std::vector<float> ranges(50, 30.0F);
    grid.add(view(ranges, {0.5, 0.5, 1}));
    EXPECT_GT(grid.count(Occupancy::free), 100U);
    EXPECT_EQ(grid.count(Occupancy::occupied), 0U);
}

TEST(CostMap, KeepsAwayFromWhatIsOccupied) {
    const OccupancyGrid grid =
        drawn({"...........", "...........", ".....#.....", "...........", "..........."});
    const CostMap costs(grid, {.radius = 0.15, .comfort = 0.35});
    EXPECT_FALSE(costs.passable({5, 2}));
    EXPECT_FALSE(costs.passable({6, 3}));
    EXPECT_TRUE(costs.passable({7, 2}));
    EXPECT_GT(costs.cost(Cell{7, 2}), CostMap::plain);
    EXPECT_EQ(costs.cost(Cell{9, 2}), CostMap::plain);
    EXPECT_FALSE(costs.passable({-1, 0}));
    EXPECT_NEAR(costs.clearance({7, 2}), 0.2, 1e-9);
    EXPECT_EQ(costs.nearest_passable({0.55, 0.25}, 0.5), (Cell{7, 2}));
    EXPECT_FALSE(costs.straight({0.05, 0.25}, {1.05, 0.25}));
    EXPECT_TRUE(costs.straight({0.05, 0.05}, {1.05, 0.05}));
}

TEST(CostMap, BlocksADiscOnRequest) {
    CostMap costs(drawn({".....", ".....", "....."}), {.radius = 0.05, .comfort = 0.05});
    costs.block({0.25, 0.15}, 0.1);
    EXPECT_FALSE(costs.passable({2, 1}));
    EXPECT_FALSE(costs.passable({1, 1}));
    EXPECT_TRUE(costs.passable({1, 0})) << "its center is outside";
    EXPECT_TRUE(costs.passable({0, 1}));
    costs.block({-5, -5}, 1);
    costs.block({0, 0}, 0.05);
}

TEST(Planner, SaysWhyAGoalCannotBeReached) {
    const OccupancyGrid grid = drawn({"....#....    ",  //
                                      "....#....    ",  //
                                      "....#....    ",  //
                                      "....#.... ...",  //
                                      "....#...  ..."});
    const CostMap costs(grid, {.radius = 0.05, .comfort = 0.05});
    Planner planner;
    EXPECT_EQ(planner.plan(grid, costs, {0, 0}, {3, 4}), Plan::found);
    EXPECT_EQ(planner.plan(grid, costs, {0, 0}, {4, 1}), Plan::goal_occupied);
    EXPECT_EQ(planner.plan(grid, costs, {0, 0}, {10, 4}), Plan::goal_unknown);
    EXPECT_EQ(planner.plan(grid, costs, {0, 0}, {8, 4}), Plan::no_way);
    EXPECT_EQ(planner.plan(grid, costs, {6, 0}, {11, 0}), Plan::only_past_unknown);
    EXPECT_EQ(planner.plan(grid, costs, {0, 0}, {99, 0}), Plan::goal_outside);
    EXPECT_EQ(planner.plan(grid, costs, {-1, 0}, {0, 0}), Plan::start_outside);
    EXPECT_EQ(planner.plan(grid, costs, {4, 0}, {0, 0}), Plan::start_blocked);
    const CostMap wide(grid, {.radius = 0.15, .comfort = 0.15});
    EXPECT_EQ(planner.plan(grid, wide, {0, 0}, {3, 2}), Plan::goal_too_close);
}

/// Returns whether a robot can go from each cell to the next.
bool is_way(const CostMap& costs, const std::vector<Cell>& path) {
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (!costs.passable(path[i])) return false;
        if (i == 0) continue;
        const Cell a = path[i - 1];
        const Cell b = path[i];
        if (std::abs(a.column - b.column) > 1 || std::abs(a.row - b.row) > 1 || a == b) return false;
        if (!costs.passable({a.column, b.row}) || !costs.passable({b.column, a.row})) return false;
    }
    return true;
}

/// Returns the minimum cost, computed by iterating over all cells until no cost decreases.
std::optional<std::uint32_t> cheapest(const CostMap& costs, Cell start, Cell goal) {
    const GridFrame& frame = costs.frame();
    std::vector<std::uint32_t> price(frame.size(), UINT32_MAX);
    price[frame.index(start)] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < frame.size(); ++i) {
            if (price[i] == UINT32_MAX) continue;
            const Cell at = frame.cell_of(i);
            for (std::int32_t x = -1; x <= 1; ++x)
                for (std::int32_t y = -1; y <= 1; ++y) {
                    const Cell to{at.column + x, at.row + y};
                    if ((x == 0 && y == 0) || !is_way(costs, {at, to})) continue;
                    const std::uint32_t via = price[i] + (x != 0 && y != 0 ? 14U : 10U) * costs.cost(to);
                    if (via >= price[frame.index(to)]) continue;
                    price[frame.index(to)] = via;
                    changed = true;
                }
        }
    }
    if (price[frame.index(goal)] == UINT32_MAX) return std::nullopt;
    return price[frame.index(goal)];
}

RC_GTEST_PROP(PlannerProperty, FindsAWayIfThereIsOneAndTheCheapest, ()) {
    Random random(*rc::gen::arbitrary<std::uint64_t>());
    const OccupancyGrid grid = random_grid(random, 14, 11, 0.05 + 0.3 * random.unit(), 0.05);
    std::vector<Zone> zones;
    for (std::uint64_t i = random.below(3); i > 0; --i) {
        const Vec2 low{1.4 * random.unit(), 1.1 * random.unit()};
        zones.push_back({.kind = random.chance(0.5) ? ZoneKind::keep_out : ZoneKind::speed,
                         .speed = 0.05 + 0.4 * random.unit(),
                         .corners = {low, low + Vec2{0.2, 0}, low + Vec2{0.3, 0.3}}});
    }
    const CostMap costs(grid, {.radius = 0.05 + 0.1 * random.unit(),
                               .comfort = 0.3,
                               .zones = std::make_shared<const std::vector<Zone>>(zones)});
    Planner planner;
    for (int i = 0; i < 5; ++i) {
        const Cell start{static_cast<std::int32_t>(random.below(14)),
                         static_cast<std::int32_t>(random.below(11))};
        const Cell goal{static_cast<std::int32_t>(random.below(14)),
                        static_cast<std::int32_t>(random.below(11))};
        if (!costs.passable(start) || !costs.passable(goal)) continue;
        Plan plan = planner.begin(grid, costs, start, goal);
        while (plan == Plan::searching) plan = planner.step(1 + random.below(20));
        const auto expected = cheapest(costs, start, goal);
        RC_ASSERT((plan == Plan::found) == expected.has_value());
        Wave wave;
        wave.spread(costs, start);
        if (plan != Plan::found) continue;
        RC_ASSERT(wave.reaches(goal));
        RC_ASSERT(planner.path_cost() == *expected);
        const auto path = planner.path();
        RC_ASSERT(path.front() == start && path.back() == goal && is_way(costs, path));
        RC_ASSERT(is_way(costs, wave.way_to(goal)));
        const auto points = smoothed(costs, path);
        RC_ASSERT(points.size() <= path.size());
        for (std::size_t p = 1; p < points.size(); ++p) RC_ASSERT(costs.straight(points[p - 1], points[p]));
    }
}

std::vector<Vec2> rectangle(Vec2 low, Vec2 high) { return {low, {high.x, low.y}, high, {low.x, high.y}}; }

CostSettings among(const std::vector<Zone>& zones) {
    return {.radius = 0.11, .comfort = 0.12, .zones = std::make_shared<const std::vector<Zone>>(zones)};
}

TEST(CostMapZones, KeepThePathAsFarAwayAsAnObstacle) {
    const OccupancyGrid grid = drawn(std::vector<std::string>(15, std::string(20, '.')));
    const Zone zone{.name = "stairs", .corners = rectangle({0.8, 0.33}, {1.2, 1.17})};
    const CostMap costs(grid, among({zone}));
    Planner planner;
    ASSERT_EQ(planner.plan(grid, costs, {1, 7}, {18, 7}), Plan::found);
    for (const Vec2 at : smoothed(costs, planner.path()))
        EXPECT_GE(signed_distance(zone.corners, at), 0.11) << at.x << " " << at.y;
    EXPECT_TRUE(costs.keeps_out({10, 7}));
    EXPECT_FALSE(costs.keeps_out({1, 7}));
    EXPECT_FALSE(costs.straight({0.15, 0.75}, {1.85, 0.75}));
    EXPECT_EQ(planner.plan(grid, costs, {1, 7}, {10, 7}), Plan::goal_forbidden);
    EXPECT_EQ(sentence(planner.state()), "the goal is in a keep-out zone");
}

TEST(CostMapZones, ThatCutAGoalOffAreTheReason) {
    const OccupancyGrid grid = drawn(std::vector<std::string>(9, std::string(20, '.')));
    const CostMap costs(grid, among({{.name = "door", .corners = rectangle({0.9, 0}, {1.1, 0.9})}}));
    Planner planner;
    EXPECT_EQ(planner.plan(grid, costs, {1, 4}, {18, 4}), Plan::only_past_zones);
    const CostMap free(grid, among({}));
    EXPECT_EQ(planner.plan(grid, free, {1, 4}, {18, 4}), Plan::found);
}

TEST(CostMapZones, CostAsMuchTimeAsTheyTake) {
    const OccupancyGrid grid = drawn(std::vector<std::string>(30, std::string(20, '.')));
    const auto passes_through = [&](double speed) {
        const Zone zone{.name = "slow",
                        .kind = ZoneKind::speed,
                        .speed = speed,
                        .corners = rectangle({0.8, 0}, {1.2, 1.2})};
        const CostMap costs(grid, among({zone}));
        Planner planner;
        EXPECT_EQ(planner.plan(grid, costs, {1, 4}, {18, 4}), Plan::found);
        const std::vector<Vec2> points = smoothed(costs, planner.path());
        for (std::size_t i = 1; i < points.size(); ++i)
            for (double share = 0; share < 1; share += 0.01)
                if (signed_distance(zone.corners, points[i - 1] + (points[i] - points[i - 1]) * share) <
                    -0.05)
                    return true;
        return false;
    };
    EXPECT_TRUE(passes_through(0.4));
    EXPECT_FALSE(passes_through(0.05)) << "the way around is faster";
}

TEST(Wave, CountsStepsAndFindsFrontiers) {
    const OccupancyGrid grid = drawn({"#########",  //
                                      "#.......#",  //
                                      "#.#####.#",  //
                                      "#.#   #.#",  //
                                      "#.#  ...#",  //
                                      "#.#######"});
    const CostMap costs(grid, {.radius = 0.01, .comfort = 0.01});
    Wave wave;
    wave.spread(costs, {1, 0});
    EXPECT_EQ(wave.steps_to({1, 4}), 4U);
    EXPECT_EQ(wave.steps_to({7, 1}), 13U);
    EXPECT_FALSE(wave.reaches({4, 2}));
    EXPECT_EQ(wave.way_to({7, 1}).size(), 14U);
    const auto found = frontiers(grid, wave, 1);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].nearest, (Cell{5, 1}));
    EXPECT_EQ(found[0].cells.size(), 1U);
    EXPECT_TRUE(frontiers(grid, wave, 2).empty());
}

TEST(CostMap, TakesALineThatIsTooNearToAnObstacleForBlocked) {
    const OccupancyGrid grid = drawn({"........",  //
                                      "........",  //
                                      "........",  //
                                      "########"});
    const CostMap costs(grid, {.radius = 0.2, .comfort = 0.2});
    ASSERT_TRUE(costs.passable({1, 2}) && !costs.passable({1, 1}));
    EXPECT_TRUE(costs.straight({0.15, 0.25}, {0.65, 0.25}));
    EXPECT_FALSE(costs.straight({0.15, 0.21}, {0.65, 0.21})) << "in passable cells, but 4 cm too near";
    EXPECT_NEAR(costs.clearance_at({0.45, 0.21}), 0.16, 1e-9);
}

/// Lets a robot that rotates in place follow the guide in small steps. Returns the places it came through;
/// the last one is where it arrived, or where it was after far too many steps.
std::vector<Vec2> followed(PathGuide& guide, const CostMap& costs, Vec2 start) {
    constexpr double step = 0.02;
    std::vector<Vec2> places{start};
    for (int i = 0; i < 2000; ++i) {
        const Pose pose = pose_at(places.back(), 0);
        const Heading heading = guide.next(costs, pose);
        if (heading.arrived) break;
        places.push_back(places.back() + towards(heading.turn) * step);
    }
    return places;
}

double length_of(const std::vector<Vec2>& places) {
    double length = 0;
    for (std::size_t i = 1; i < places.size(); ++i) length += distance(places[i - 1], places[i]);
    return length;
}

TEST(PathGuide, LeadsAlongThePathToItsEnd) {
    OccupancyGrid grid(GridFrame::around({-1, -1}, {3, 3}, 0.1));
    grid.add_disc({1, 1}, 4);
    const CostMap costs(grid, {});
    PathGuide guide({{0, 0}, {2, 0}, {2, 2}}, 0.3, 0.1);
    const auto places = followed(guide, costs, {0, 0});
    EXPECT_LT(distance(places.back(), {2, 2}), 0.11);
    EXPECT_NEAR(length_of(places), 3.7, 0.2) << "it cuts the corner, but not more";
    EXPECT_TRUE(PathGuide().next(costs, {}).arrived);
}

TEST(PathGuide, DoesNotSkipACornerBehindWhichAnObstacleIs) {
    // The way leads up on the left of the box and then to the right. A robot to the right of the way has
    // passed the corner by its distance to the right, but the box is between it and the end.
    const OccupancyGrid grid = drawn({"................",  //
                                      "................",  //
                                      "................",  //
                                      "......####......",  //
                                      "......####......",  //
                                      "......####......",  //
                                      "................",  //
                                      "................"});
    const CostMap costs(grid, {.radius = 0.15, .comfort = 0.15});
    const std::vector<Vec2> points{{0.15, 0.15}, {0.15, 0.65}, {1.35, 0.65}};
    PathGuide guide(points, 0.1, 0.05);
    const Vec2 at{0.35, 0.35};
    ASSERT_NEAR(guide.next(costs, pose_at(points[0], 0)).distance, 1.7, 1e-9);
    EXPECT_NEAR(guide.next(costs, pose_at(at, 0)).turn, bearing_of(pose_at(at, 0), points[1]), 1e-9);
    for (const Vec2 place : followed(guide, costs, at))
        ASSERT_TRUE(costs.passable(grid.frame().cell_at(place))) << place.x << ' ' << place.y;
}

TEST(PathGuide, SkipsAPointThatItHasPassed) {
    OccupancyGrid grid(GridFrame::around({-1, -1}, {3, 3}, 0.1));
    grid.add_disc({1, 1}, 4);
    const CostMap costs(grid, {});
    PathGuide guide({{0, 0}, {1, 0.1}, {2, 0}}, 0.1, 0.05);
    EXPECT_NEAR(guide.next(costs, {1.2, -0.3, 0}).turn, bearing_of({1.2, -0.3, 0}, {2, 0}), 1e-9);
}

RC_GTEST_PROP(PathGuide, LeadsWhereTheRobotFits, (std::uint64_t seed)) {
    Random random(seed);
    const OccupancyGrid grid = random_grid(random, 30, 30, 0.06);
    const CostMap costs(grid, {.radius = 0.15, .comfort = 0.3});
    Wave wave;
    const Cell start{static_cast<std::int32_t>(random.below(30)),
                     static_cast<std::int32_t>(random.below(30))};
    wave.spread(costs, start);
    if (wave.reached().empty()) return;
    const Cell goal = grid.frame().cell_of(wave.reached()[random.below(wave.reached().size())]);
    PathGuide guide(smoothed(costs, wave.way_to(goal)), 0.25, 0.04);
    const auto places = followed(guide, costs, grid.frame().middle(start));
    RC_ASSERT(distance(places.back(), grid.frame().middle(goal)) <= 0.04);
    // It turns up to 4 cm before a corner, which may take it into a neighboring cell.
    for (const Vec2 place : places) RC_ASSERT(costs.nearest_passable(place, 0.12).has_value());
}

TEST(ScanMatch, FindsBackToWhereTheScanWasTaken) {
    OccupancyGrid grid(GridFrame::around({-3, -3}, {3, 3}, 0.1));
    const Pose truth{0.4, -0.3, 0.3};
    for (int i = 0; i < 4; ++i) grid.add(view(scan_of_square(2, {0, 0, 0.1 * i}, 180), {0, 0, 0.1 * i}));
    const auto seen = scan_of_square(2, truth, 180);
    const Pose guess{0.47, -0.24, 0.34};
    const ScanMatch match = match_scan(grid, view(seen, guess), 0.15);
    EXPECT_GT(match.score, 0.3);
    EXPECT_LT(distance(position(match.pose), position(truth)), 0.07) << "less than a cell";
    EXPECT_NEAR(match.pose.heading, truth.heading, 0.02);
}

TEST(ScanMatch, PassesOverRangesThatNoMapHolds) {
    OccupancyGrid grid(GridFrame::around({-3, -3}, {3, 3}, 0.1));
    for (int i = 0; i < 4; ++i) grid.add(view(scan_of_square(2, {}, 180), {}));
    auto seen = scan_of_square(2, {}, 180);
    seen.at(7) = 3e38F;
    const ScanMatch match = match_scan(grid, view(seen, {0.03, 0.0, 0.0}), 0.15);
    EXPECT_LT(distance(position(match.pose), {}), 0.07);
}

TEST(MapPicture, ShowsATerminalWhatIsKnown) {
    const OccupancyGrid grid = drawn({"####    ", "#...    ", "#...    ", "####    "});
    EXPECT_EQ(text_picture(grid, {.robots = {{0.25, 0.15, 3.1}}}, 8), "####    \n##<#    \n");
    const Image image = picture(grid, {}, 20);
    EXPECT_EQ(image.width, 16U);
    EXPECT_EQ(image.height, 8U);
}

TEST(CostMap, KnowsTheClearanceOfEveryCellHoweverFarItIs) {
    OccupancyGrid grid({.low = {0, 0}, .cell = 0.1, .columns = 40, .rows = 30});
    const Cell post{7, 25};
    grid.set(post, Occupancy::occupied);
    const CostSettings settings{.radius = 0.2, .comfort = 0.5};
    const CostMap costs(grid, settings);
    for (Cell cell{0, 0}; cell.row < 30; ++cell.row)
        for (cell.column = 0; cell.column < 40; ++cell.column) {
            const int across = std::abs(cell.column - post.column);
            const int along = std::abs(cell.row - post.row);
            const double tenths = 14 * std::min(across, along) + 10 * std::abs(across - along);
            EXPECT_NEAR(costs.clearance(cell), std::min(tenths / 100, 0.6), 1e-9)
                << cell.column << ", " << cell.row;
        }
}

TEST(OccupancyGrid, HasAnotherVersionOnlyWhenACellIsTakenForSomethingElse) {
    OccupancyGrid grid({.low = {0, 0}, .cell = 0.1, .columns = 20, .rows = 1});
    const std::vector<float> ranges{1.0F};
    const ScanView scan{.from = {0.05, 0.05, 0}, .angle_step = 1, .ranges = ranges};
    grid.add(scan);
    const auto seen = grid.version();
    EXPECT_NE(seen, OccupancyGrid(grid.frame()).version());
    grid.add(scan);
    EXPECT_EQ(grid.version(), seen) << "only surer";
    grid.set({3, 0}, Occupancy::occupied);
    EXPECT_NE(grid.version(), seen);
}

}  // namespace
}  // namespace caribou::map
