#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/geometry.hpp"
#include "base/random.hpp"
#include "base/result.hpp"
#include "base/zone.hpp"
#include "map/cost_map.hpp"
#include "map/grid.hpp"
#include "map/path.hpp"
#include "map/place.hpp"
#include "map/planner.hpp"
#include "map/pursuit.hpp"
#include "map/wave.hpp"
#include "motion/motion_settings.hpp"
#include "robot/ai_control.hpp"

namespace caribou::map {
struct StoredMap;
}

namespace caribou::robot {

struct NavigatorSettings {
    double side = 24;   ///< m; side of the map, with the start in its center
    double cell = 0.1;  ///< metres
    /// Distance in m that a path keeps between hull and obstacles: the stop zone of propulsion. Half a cell
    /// is added for the resolution of the grid.
    double margin = motion::MotionSettings{}.stop_zone;
    double comfort = 0.25;  ///< m; preferred distance between hull and obstacles
    map::PursuitSettings pursuit{};
    Duration scan_period = std::chrono::milliseconds(400);  ///< between two scans added to the map
    Duration patience = std::chrono::seconds(4);            ///< without progress, until it counts as hindered
    std::size_t least_frontier = 4;                         ///< cells; smaller ones are ignored
    Duration avoid_time = std::chrono::seconds(60);         ///< for which a failed goal is avoided
    double avoid_radius = 0.5;                              ///< m around it
    /// Where the robot was hindered, its center keeps away from a disc in front of it for a while, so that
    /// the next path is another one.
    Duration block_time = std::chrono::seconds(30);
    double block_radius = 0.3;  ///< m
    double block_ahead = 0.2;   ///< m; distance of the disc's center from that of the robot
};

/// Localization, mapping and navigation of a robot: pose and map from telemetry, paths, and the velocity of
/// each tick. All in the map's frame, which equals the odometry frame at the start.
class Navigator {
public:
    /// Result of a tick; why_not() returns the reason of a failure.
    enum class Progress : std::uint8_t { going, arrived, failed };

    explicit Navigator(AiControl& ai, NavigatorSettings settings = {});

    /// Locates the robot by another program from now on, which reports the origin of odometry in its map
    /// (map->odom); nullopt while it has not yet, which leaves the robot without a map and without paths.
    /// Where the robot is put elsewhere, the map starts anew around it, with its zones.
    void use_frame(const std::optional<Pose>& odom_in_map);

    /// Corrects the estimate of the pose in the map. Fails if another program locates the robot, before the
    /// first round of telemetry, or if the pose lies outside of the map.
    Result<void> set_pose(const Pose& pose);

    /// Processes the latest round of telemetry, once. Must be called before any query.
    void look(Instant now);

    const Pose& pose() const { return pose_; }
    /// Returns the pose at the same time by odometry only; nullopt before the first round.
    const std::optional<Pose>& odometry() const { return odometry_; }
    /// Returns the odometry frame in the map frame (map->odom), as corrected by the last scan that matched
    /// the map.
    const Pose& odom_in_map() const { return odom_in_map_; }
    const map::OccupancyGrid& grid() const { return grid_; }

    // The map as a whole; in navigator_map.cpp.
    /// Returns whether nothing was mapped yet, although there is a lidar.
    bool is_blank() const { return lidar_ && scanned_at_ == Instant::min(); }
    /// Returns the map, its dock and its places. A dock that was never seen is where the robot is charged.
    map::StoredMap stored_map() const;
    /// Least score of a scan on a loaded map.
    static constexpr double sure_match = 0.5;
    /// Where the robot is on a loaded map.
    struct Located {
        Pose pose{};
        double score = 0;  ///< of the scan, from 0 to 1
    };
    /// Replaces the map, with the robot near `guess`: within 0.5 m and 30 degrees. The latest scan finds the
    /// pose. Fails, and changes nothing, with Code::not_found if the scan does not match the map there, and
    /// with Code::unavailable if there is no scan yet. Without a lidar, `guess` is the pose, with the score
    /// 0.
    Result<Located> load_map(map::StoredMap stored, const Pose& guess, Instant now);
    const std::vector<map::Place>& places() const { return places_; }
    /// Counts a loss if the place of the errand is not where it was.
    void set_places(std::vector<map::Place> places);
    /// Returns the zones of the map; never null.
    const std::shared_ptr<const std::vector<Zone>>& zones() const { return zones_; }
    /// A path through a new keep-out zone is planned again.
    void set_zones(std::vector<Zone> zones);
    /// Returns the name of the keep-out zone that the hull is in; empty: none. A robot that has a goal first
    /// drives out of it.
    std::string_view closed_in() const;
    /// Returns whether it does that now.
    bool leaves_zone(Instant now) const { return way_out_ && course(now); }
    /// Returns whether the robot is in a keep-out zone, and cannot drive out by itself.
    bool needs_way_out(Instant now);
    /// The place of the command `go`; nullopt: none.
    struct Errand {
        std::optional<map::Place> place{};
        std::uint64_t arrivals = 0;      ///< since the start
        std::uint64_t failed_tries = 0;  ///< same
        std::string failure{};           ///< of the last try
        std::uint64_t losses = 0;        ///< of the place, because it was removed or moved; since the start
        std::string loss{};              ///< how it was lost last
    };
    const Errand& errand() const { return errand_; }
    void set_errand(std::optional<map::Place> place) { errand_.place = std::move(place); }
    /// Counts an attempt to get to the place of the errand; `failure` is empty if it has arrived.
    void count_errand(std::string failure);
    /// Returns the place of that name, `dock` among them, or the names that there are.
    Result<Pose> place(std::string_view name) const;

    const motion::Sights& sights() const { return sights_; }
    /// Returns where the dock was last seen.
    const std::optional<Pose>& dock() const { return dock_; }
    /// Counts a failed attempt to dock, with the reason. The remembered dock is discarded, because it may
    /// have been moved, unless it is in sight or a zone keeps the robot from it.
    void docking_failed(std::string why);
    std::uint64_t failed_docks() const { return failed_docks_; }
    const std::string& dock_failure() const { return dock_failure_; }
    /// A cube that was seen recently.
    struct SeenCube {
        Vec2 at{};
        Instant seen{};
        std::string name{};  ///< empty if the eyes cannot tell which cube it is
    };
    const std::vector<SeenCube>& cubes() const { return cubes_; }
    bool lifted() const { return lifted_; }
    bool on_charger() const { return on_charger_; }
    /// Notes that an action still centers the robot on its charger. Must be repeated in each tick.
    void note_centering(Instant now) { centering_at_ = now; }
    void end_centering() { centering_at_.reset(); }
    /// Returns whether the robot is on its charger, and no action centers it there.
    bool is_docked(Instant now) const;
    /// Returns the pose of the robot in the frame of its dock, by odometry since the dock was last seen;
    /// nullopt if it was never seen.
    std::optional<Pose> pose_at_dock() const;
    /// Returns whether it failed to make progress, and has not moved on since.
    bool hindered() const { return hindered_; }
    /// Returns whether movements fail because of that. A movement to another goal, or to the same one after
    /// block_time, is given the time to make progress first; another behavior can free the robot earlier.
    bool does_not_get_on() const { return hindered_ && !tries_again_; }
    /// Ends the hindered state, after another behavior has freed the robot.
    void forgive();
    /// Returns whether everything reachable has been seen.
    bool explored(Instant now);

    // Each starts a task, which follow() executes tick by tick. Returns false, with why_not(), if there is no
    // path.
    bool go_to(Vec2 goal, Instant now);
    bool go_exploring(Instant now);
    /// The goal is a random place that can be reached: `nearby`, 1 to 4 m away, or less if there is no such
    /// place; `everywhere`, at least 1 m away.
    enum class Reach : std::uint8_t { nearby, everywhere };
    bool go_anywhere(Random& random, Instant now, Reach reach);
    /// Continues the task. Sets the velocity of this tick.
    Progress follow(Instant now);
    /// Goes straight to a nearby place, slowly at the end. Arrived when closer than `near_enough`.
    Progress approach(Vec2 at, double near_enough, Instant now);
    /// Returns whether the robot fits on the straight line to a place, up to `near_enough` from it.
    bool can_approach(Vec2 at, double near_enough, Instant now);
    /// Rotates in place to this heading.
    Progress face(double heading, Instant now);
    const std::string& why_not() const { return why_not_; }
    /// The goal that the robot is driving to, and the points of the path that it has not passed yet.
    struct Course {
        Vec2 goal{};
        std::vector<Vec2> path{};
    };
    /// Returns nullopt if the robot is not driving to a goal.
    std::optional<Course> course(Instant now) const;
    /// Must be called in each tick in which the robot drives without follow(), approach() and face(): notices
    /// that it is hindered.
    void watch_progress(Instant now);
    /// Notes that the action of that name runs now.
    void note_action(std::string_view name, Instant now);
    /// Returns the name of the running action, or an empty string.
    std::string_view action(Instant now) const;
    AiControl& ai() { return ai_; }

private:
    void start_map_here();
    void mark_progress(Instant now);
    void hinder(Instant now);
    /// A way to goal_ begins.
    void try_again(Instant now);
    void take_pose(const TelemetryRound& round);
    void take_scan(const TelemetryRound& round, Instant now);
    void take_sights(const TelemetryRound& round, Instant now);
    void forget_goals();
    void remember_cubes(const Pose& from, Instant now);
    void refresh(Instant now);
    map::CostSettings cost_settings() const;
    bool begin(std::vector<map::Cell> cells, Instant now);
    std::optional<map::Cell> standing_cell(Instant now);
    /// Returns where the robot is out of the keep-out zone that it is in: straight ahead of a heading in
    /// which no distance to the nearest side of a zone grows, as propulsion demands. nullopt if there is no
    /// such place.
    std::optional<Vec2> find_way_out(Instant now);
    /// Begins to leave the keep-out zone that the robot is in, before it goes to its goal.
    bool begin_leaving(Instant now);
    bool plan_again(Instant now) { return exploring_ ? go_exploring(now) : go_to(Vec2(*goal_), now); }
    /// Keeps the reason why there is no way. Returns false.
    bool refuse(map::Plan why);
    void block_ahead(Instant now);
    /// Returns whether there were blocked discs.
    bool unblock();
    /// Returns null if there is none, or if all are avoided.
    const map::Frontier* best_frontier(const std::vector<map::Frontier>& found, Instant now);
    void avoid_goal(Instant now);
    bool is_avoided(Vec2 goal) const;
    /// Returns the reachable cells at a distance between `least` and `most` meters, without avoided goals.
    std::vector<map::Cell> goals(double least, double most) const;

    AiControl& ai_;
    NavigatorSettings settings_;
    map::OccupancyGrid grid_;
    std::shared_ptr<const std::vector<Zone>> zones_ = std::make_shared<const std::vector<Zone>>();
    map::CostMap costs_;
    std::optional<std::uint64_t> costs_version_;  ///< of the grid; nullopt: must be computed again
    map::Planner planner_;
    map::Wave wave_;
    map::PathGuide guide_;
    std::optional<Vec2> goal_;
    std::optional<Vec2> way_out_;     ///< of the keep-out zone that the robot leaves
    std::optional<Vec2> approached_;  ///< the place of the last approach(); none after follow()
    std::string action_;
    Instant acted_at_ = Instant::min();
    bool exploring_ = false;
    struct AvoidedGoal {
        Vec2 at{};
        Instant until{};
    };
    std::vector<AvoidedGoal> avoided_;  ///< goals that were not reached recently
    struct BlockedDisc {
        Vec2 at{};
        Instant until{};
    };
    std::vector<BlockedDisc> blocked_;
    map::Pursuit pursuit_;
    map::Pursuit straight_pursuit_;  ///< to a place nearby

    std::optional<std::size_t> lidar_;
    std::optional<std::size_t> eyes_;
    std::optional<std::size_t> imu_;
    std::optional<std::size_t> charger_;
    std::uint64_t round_ = 0;
    Pose odom_in_map_{};
    bool is_located_by_others_ = false;
    bool awaits_frame_ = false;
    bool is_relocated_ = false;  ///< since the last path was planned
    Pose pose_{};
    std::optional<Pose> odometry_;
    std::shared_ptr<const motion::LidarScan> scan_;
    Pose scan_from_{};  ///< by odometry
    std::vector<map::Place> places_;
    Errand errand_;
    Instant scanned_at_ = Instant::min();
    Instant checked_at_ = Instant::min();
    motion::Sights sights_{};
    std::optional<Pose> dock_;
    std::optional<Pose> dock_in_odometry_;
    std::uint64_t failed_docks_ = 0;
    std::string dock_failure_;
    std::vector<SeenCube> cubes_;
    bool lifted_ = false;
    bool on_charger_ = false;
    std::optional<Instant> centering_at_;
    bool hindered_ = false;
    bool tries_again_ = false;  ///< hindered, and a movement has time to make progress
    Instant hindered_at_{};
    std::optional<Vec2> hindered_goal_;
    Pose mark_{};  ///< pose at the last progress
    Instant marked_at_{};
    Instant moved_at_{};
    Instant noted_at_ = Instant::min();  ///< time of the last check for progress
    std::optional<bool> explored_;
    std::uint64_t explored_version_ = 0;
    Instant explored_at_ = Instant::min();
    std::string why_not_;
    map::Plan refusal_ = map::Plan::found;  ///< of the last search for a way to a goal
};

}  // namespace caribou::robot
