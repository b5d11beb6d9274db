#include "map/scan_match.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace caribou::map {
namespace {

/// Odds from which on a cell counts as occupied for sure. Half of it is what a single scan gives, so that the
/// second scan already finds its pose.
constexpr double sure = 48;
/// The same on a map that is finished, however short it was seen: what a single scan gives.
constexpr double sure_when_finished = 24;

/// How occupied it is there, between 0 and 1, without steps from cell to cell.
double occupied_at(const OccupancyGrid& grid, Vec2 at, double sure_odds) {
    const GridFrame& frame = grid.frame();
    const double x = (at.x - frame.low.x) / frame.cell - 0.5;
    const double y = (at.y - frame.low.y) / frame.cell - 0.5;
    // Beyond every map, and what an int32 can hold: a range from a damaged scan.
    if (!(std::abs(x) < 1e9 && std::abs(y) < 1e9)) return 0.0;
    const double column = std::floor(x);
    const double row = std::floor(y);
    const Cell cell{static_cast<std::int32_t>(column), static_cast<std::int32_t>(row)};
    const auto odds = [&](std::int32_t right, std::int32_t up) {
        return std::clamp<double>(grid.odds({cell.column + right, cell.row + up}), 0, sure_odds);
    };
    const double u = x - column;
    const double v = y - row;
    return ((odds(0, 0) * (1 - u) + odds(1, 0) * u) * (1 - v) + (odds(0, 1) * (1 - u) + odds(1, 1) * u) * v) /
           sure_odds;
}

/// The ends of a scan's beams as seen by the robot, at most some sixty: more say nothing new.
std::vector<Vec2> ends_of(const ScanView& scan) {
    std::vector<Vec2> ends;
    const std::size_t stride = std::max<std::size_t>(1, scan.ranges.size() / 60);
    for (std::size_t i = 0; i < scan.ranges.size(); i += stride)
        if (std::isfinite(scan.ranges[i]))
            ends.push_back(towards(scan.first_angle + scan.angle_step * static_cast<double>(i)) *
                           static_cast<double>(scan.ranges[i]));
    return ends;
}

/// Compares poses of a scan, and keeps the best one.
class Matcher {
public:
    Matcher(const OccupancyGrid& grid, const ScanView& scan, double sure_odds)
        : grid_(grid), ends_(ends_of(scan)), sure_odds_(sure_odds) {}

    bool is_blind() const { return ends_.empty(); }
    const ScanMatch& best() const { return best_; }
    void start_at(const Pose& pose) {
        best_ = {.pose = pose};
        best_.score = score(pose);
    }
    void try_pose(const Pose& pose) {
        if (const double its = score(pose); its > best_.score) best_ = {pose, its};
    }
    void try_move(const Pose& from, const Pose& move) {
        try_pose({from.x + move.x, from.y + move.y, from.heading + move.heading});
    }
    /// Uphill along one direction at a time, in smaller and smaller steps.
    void climb(double step, double turn) {
        for (int round = 0; round < 5; ++round, step /= 2, turn /= 2) {
            const std::array<Pose, 6> moves{
                {{step, 0, 0}, {-step, 0, 0}, {0, step, 0}, {0, -step, 0}, {0, 0, turn}, {0, 0, -turn}}};
            for (int again = 0; again < 2; ++again) {
                const double before = best_.score;
                for (const Pose& move : moves) try_move(best_.pose, move);
                if (best_.score <= before) break;
            }
        }
        best_.pose.heading = wrapped_angle(best_.pose.heading);
    }

private:
    /// Returns 0 as soon as it is certain that the pose is no better than the best one.
    double score(const Pose& pose) const {
        constexpr double rounding = 1e-9;
        const auto count = static_cast<double>(ends_.size());
        const Vec2 ahead = towards(pose.heading);
        double sum = 0;
        double most = count;  // that the sum can become
        for (const Vec2 end : ends_) {
            const double occupied = occupied_at(
                grid_,
                {pose.x + end.x * ahead.x - end.y * ahead.y, pose.y + end.x * ahead.y + end.y * ahead.x},
                sure_odds_);
            sum += occupied;
            most -= 1 - occupied;
            if (most < best_.score * count - rounding) return 0.0;
        }
        return sum / count;
    }

    const OccupancyGrid& grid_;
    std::vector<Vec2> ends_;
    double sure_odds_;
    ScanMatch best_;
};

}  // namespace

ScanMatch match_scan(const OccupancyGrid& grid, const ScanView& scan, double reach, double turn_reach) {
    constexpr int heading_steps = 6;
    Matcher matcher(grid, scan, sure);
    if (matcher.is_blind()) return {.pose = scan.from};
    matcher.start_at(scan.from);
    // Wheels slip most in turns: the heading is searched first, farther than a descent would find it.
    for (int i = 1; i <= heading_steps; ++i)
        for (const double side : {-1.0, 1.0})
            matcher.try_move(scan.from, {0, 0, side * i * turn_reach / heading_steps});
    matcher.climb(reach / 2, turn_reach / heading_steps / 2);
    return matcher.best();
}

ScanMatch locate_scan(const OccupancyGrid& grid, const ScanView& scan, double reach, double turn_reach) {
    constexpr double turn = 0.035;
    Matcher matcher(grid, scan, sure_when_finished);
    if (matcher.is_blind()) return {.pose = scan.from};
    matcher.start_at(scan.from);
    const double step = grid.frame().cell / 2;
    const int steps = static_cast<int>(std::ceil(reach / step));
    const int turns = static_cast<int>(std::ceil(turn_reach / turn));
    for (int right = -steps; right <= steps; ++right)
        for (int up = -steps; up <= steps; ++up)
            for (int side = -turns; side <= turns && right * right + up * up <= steps * steps; ++side)
                matcher.try_move(scan.from, {right * step, up * step, side * turn});
    matcher.climb(step / 2, turn / 2);
    return matcher.best();
}

}  // namespace caribou::map
