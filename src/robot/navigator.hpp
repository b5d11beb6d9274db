#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/geometry.hpp"
#include "map/cost_map.hpp"
#include "map/grid.hpp"
#include "map/path.hpp"
#include "map/planner.hpp"
#include "map/wave.hpp"
#include "motion/motion_settings.hpp"
#include "motion/movement.hpp"
#include "robot/ai_control.hpp"

namespace caribou::robot {

struct NavigatorSettings {
    double side = 24;   ///< metres of the map, with the start in its middle
    double cell = 0.1;  ///< metres
    /// Metres between hull and things that a path keeps: the stop zone of propulsion. Half a cell is added,
    /// because the grid places things no more exactly.
    double margin = motion::MotionSettings{}.stop_zone;
    double comfort = 0.25;  ///< metres between hull and things that a path prefers
    Duration scan_period = std::chrono::milliseconds(400);  ///< between two scans that go into the map
    Duration patience = std::chrono::seconds(4);            ///< without getting on, until it is hindered
    std::size_t least_frontier = 4;                         ///< cells; smaller ones are not worth the way
    Duration avoid_time = std::chrono::seconds(60);         ///< for which a goal that failed is avoided
    double avoid_radius = 0.5;                              ///< metres around it
};

/// Where a robot is, what it has seen, and how it gets elsewhere: pose and map from telemetry, ways, and
/// the movement of each tick. All in the map's frame, which is the odometry's at the start.
class Navigator {
public:
    enum class Progress : std::uint8_t { going, arrived, failed };

    explicit Navigator(AiControl& ai, NavigatorSettings settings = {});

    /// Takes in the latest round of telemetry, once. Whoever asks for something calls it first.
    void look(Instant now);

    const Pose& pose() const { return pose_; }
    /// The same moment's pose by odometry alone. None: it has not looked yet.
    const std::optional<Pose>& odometry() const { return odometry_; }
    /// The odometry frame in the map frame (map->odom), as the last scan that fit the map corrected it.
    const Pose& odom_in_map() const { return odom_in_map_; }
    const map::OccupancyGrid& grid() const { return grid_; }
    const motion::Sights& sights() const { return sights_; }
    /// Where the dock was last seen.
    const std::optional<Pose>& dock() const { return dock_; }
    /// A try to dock has failed: counted, with the reason. The remembered place is forgotten unless the dock
    /// is in sight, because it may have been moved.
    void docking_failed(std::string why);
    std::uint64_t failed_docks() const { return failed_docks_; }
    const std::string& dock_failure() const { return dock_failure_; }
    /// Where cubes were last seen, not long ago.
    struct SeenCube {
        Vec2 at{};
        Instant seen{};
    };
    const std::vector<SeenCube>& cubes() const { return cubes_; }
    bool lifted() const { return lifted_; }
    bool on_charger() const { return on_charger_; }
    /// It wanted to go somewhere and did not get on: somebody has to get it out.
    bool hindered() const { return hindered_; }
    void forgive() { hindered_ = false; }
    /// Whether everything that can be reached has been looked at.
    bool explored(Instant now);

    // Each begins something; follow() then does it, tick by tick. False, with why_not(): there is no way.
    bool go_to(Vec2 goal, Instant now);
    bool go_exploring(Instant now);
    /// Drives on. What it says holds for this tick.
    Progress follow(Instant now);
    /// Goes straight to a place nearby, and slowly there. Arrived: nearer than `near_enough`.
    Progress approach(Vec2 at, double near_enough, Instant now);
    /// Turns on the spot until it looks there.
    Progress face(double heading, Instant now);
    const std::string& why_not() const { return why_not_; }
    AiControl& ai() { return ai_; }

private:
    void take_pose(const TelemetryRound& round);
    void take_scan(const TelemetryRound& round, Instant now);
    void take_sights(const TelemetryRound& round, Instant now);
    void remember_cubes(const Pose& from, Instant now);
    void refresh();
    void steer(double turn, double distance);
    void note_progress(Instant now);
    bool begin(std::vector<map::Cell> cells, Instant now);
    std::optional<map::Cell> standing_cell();
    /// Null: there is none, or all are avoided.
    const map::Frontier* best_frontier(const std::vector<map::Frontier>& found, Instant now);
    void avoid_goal(Instant now);

    AiControl& ai_;
    NavigatorSettings settings_;
    map::OccupancyGrid grid_;
    map::CostMap costs_;
    std::uint64_t costs_version_ = 0;
    map::Planner planner_;
    map::Wave wave_;
    map::PathGuide guide_;
    std::optional<Vec2> goal_;
    bool exploring_ = false;
    struct AvoidedGoal {
        Vec2 at{};
        Instant until{};
    };
    std::vector<AvoidedGoal> avoided_;  ///< where the robot did not get to lately
    bool swiveling_ = false;

    std::optional<std::size_t> lidar_;
    std::optional<std::size_t> eyes_;
    std::optional<std::size_t> imu_;
    std::optional<std::size_t> charger_;
    std::uint64_t round_ = 0;
    Pose odom_in_map_{};
    Pose pose_{};
    std::optional<Pose> odometry_;
    std::shared_ptr<const motion::LidarScan> scan_;
    Instant scanned_at_ = Instant::min();
    Instant checked_at_ = Instant::min();
    motion::Sights sights_{};
    std::optional<Pose> dock_;
    std::uint64_t failed_docks_ = 0;
    std::string dock_failure_;
    std::vector<SeenCube> cubes_;
    bool lifted_ = false;
    bool on_charger_ = false;
    bool hindered_ = false;
    Pose mark_{};  ///< where it was when it last got on
    Instant marked_at_{};
    Instant moved_at_{};
    Instant noted_at_ = Instant::min();  ///< when it last asked whether it gets on
    std::optional<bool> explored_;
    std::uint64_t explored_version_ = 0;
    Instant explored_at_ = Instant::min();
    std::string why_not_;
};

}  // namespace caribou::robot
