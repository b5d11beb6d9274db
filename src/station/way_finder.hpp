#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/geometry.hpp"
#include "link/telemetry.hpp"
#include "loop/time.hpp"
#include "map/grid.hpp"
#include "map/path.hpp"
#include "map/planner.hpp"
#include "motion/movement.hpp"

namespace caribou::station {

struct WayFinderSettings {
    double margin = 4;    ///< m of floor around the known points
    double cell = 0.1;    ///< m
    double radius = 0.2;  ///< m; minimum distance of the robot's center from obstacles
    double near = 0.15;   ///< m; distance at which a goal is reached
    int level = 2;        ///< maximum speed
    Duration patience = std::chrono::seconds(4);  ///< until an unreachable goal is given up
    Duration replan_period = std::chrono::seconds(1);
    Duration progress_limit = std::chrono::seconds(20);  ///< without getting closer
};

/// Plans the path of one robot on its map so far, and computes the movement along it. Unknown cells count as
/// free.
class WayFinder {
public:
    /// `area` lists points that must be on the map.
    WayFinder(const WayFinderSettings& settings, const std::vector<Vec2>& area);

    /// Adds the robot's range readings to the map.
    void learn(const link::Telemetry& telemetry);
    void set_goal(Vec2 goal, Instant now);

    struct Step {
        motion::MovementCommand movement{};
        bool arrived = false;
        std::string given_up{};  ///< reason; empty: continues
        std::string waits{};     ///< why it does not move at present
    };
    Step next(const Pose& pose, Instant now);

    const std::vector<Vec2>& path() const { return guide_.points(); }

private:
    bool needs_plan(const Pose& pose, Instant now);
    void weigh();
    void plan(const Pose& pose, Instant now);
    motion::MovementCommand steer(const map::Heading& heading) const;
    Step wait(Instant now) const;

    WayFinderSettings settings_;
    map::OccupancyGrid grid_;
    map::Planner planner_;
    std::optional<map::CostMap> costs_;
    std::uint64_t costs_of_ = 0;  ///< version of the grid
    map::PathGuide guide_;
    Vec2 goal_{};
    std::optional<map::Plan> failed_;
    Instant last_good_{};  ///< when there last was a path
    Instant next_plan_{};
    double best_ = 0;  ///< smallest distance to the goal so far
    Instant best_at_{};
    float reach_ = 0;  ///< largest distance reported by the sensors
};

}  // namespace caribou::station
