#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/geometry.hpp"
#include "base/zone.hpp"
#include "link/telemetry.hpp"
#include "loop/time.hpp"
#include "map/grid.hpp"
#include "map/path.hpp"
#include "map/planner.hpp"
#include "map/pursuit.hpp"
#include "motion/motion_command.hpp"
#include "views/grid.hpp"

namespace caribou::station {

struct WayFinderSettings {
    double margin = 4;  ///< m of floor around the known points
    double cell = 0.1;  ///< m
    /// m; minimum distance of the robot's center from obstacles: hull, stop zone of propulsion, half a cell
    double radius = 0.28;
    double near = 0.15;                           ///< m; distance at which a goal is reached
    int level = 2;                                ///< maximum speed
    Duration patience = std::chrono::seconds(4);  ///< until an unreachable goal is given up
    Duration replan_period = std::chrono::seconds(1);
    Duration progress_limit = std::chrono::seconds(20);  ///< without getting closer
};

/// Plans the path of one robot and computes the velocity along it. It plans on the robot's own map once that
/// is known, and on the ranges of telemetry until then. Unknown cells are entered only if there is no other
/// path.
class WayFinder {
public:
    /// `area` lists points that must be on the map.
    WayFinder(const WayFinderSettings& settings, const std::vector<Vec2>& area);

    /// Adds the robot's range readings, unless its own map is known.
    void learn(const link::Telemetry& telemetry);
    /// Plans on the robot's own map from now on. Does nothing if it is the one taken last.
    void take_map(const wire::Grid& map);
    /// Replaces the zones; null for none.
    void take_zones(std::shared_ptr<const std::vector<Zone>> zones);
    /// Returns why the robot cannot be at a goal, by what is known of the floor; nullopt if it can.
    std::optional<map::Plan> objection_to(Vec2 goal);
    /// Returns why there is no path between two places; nullopt if there is one.
    std::optional<map::Plan> objection_to(Vec2 from, Vec2 goal);
    void set_goal(Vec2 goal, Instant now);

    struct Step {
        motion::MotionCommand motion{};
        bool arrived = false;
        std::string given_up{};  ///< reason; empty: continues
        std::string waits{};     ///< why it does not move at present
    };
    Step next(const Pose& pose, Instant now);

    const std::vector<Vec2>& path() const { return guide_.points(); }

private:
    bool needs_plan(const Pose& pose, Instant now);
    void weigh();
    /// Searches through known cells, then also through unknown ones.
    map::Plan search(Vec2 from, Vec2 goal);
    map::Cell goal_cell(Vec2 goal) const;
    void plan(const Pose& pose, Instant now);
    Step wait(Instant now) const;

    WayFinderSettings settings_;
    map::OccupancyGrid grid_;
    std::shared_ptr<const std::vector<Zone>> zones_;
    std::optional<double> map_time_;  ///< of the robot's own map; nullopt: it is not known
    map::Planner planner_;
    std::optional<map::CostMap> costs_;        ///< unknown cells are passable
    std::optional<map::CostMap> known_costs_;  ///< unknown cells are blocked
    std::uint64_t costs_of_ = 0;               ///< version of the grid
    map::PathGuide guide_;
    map::Pursuit pursuit_;
    Vec2 goal_{};
    std::optional<map::Plan> failed_;
    Instant last_good_{};  ///< when there last was a path
    Instant next_plan_{};
    double best_ = 0;  ///< smallest distance to the goal so far
    Instant best_at_{};
    float reach_ = 0;  ///< largest distance reported by the sensors
};

}  // namespace caribou::station
