#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "behavior/facts.hpp"
#include "behavior/runner.hpp"
#include "data/route.hpp"
#include "link/answer.hpp"
#include "station/robot_session.hpp"
#include "station/route.hpp"
#include "station/view_source.hpp"
#include "station/way_finder.hpp"

namespace caribou::station {

struct AutopilotSettings {
    WayFinderSettings way{};
    double battery_low = 0.2;                         ///< level at which it goes to its dock
    Duration renew = std::chrono::milliseconds(200);  ///< interval of motion commands
    Duration life = std::chrono::milliseconds(500);   ///< ttl of a motion command
    /// time of continuous refusals after which it gives up
    Duration refused_limit = std::chrono::seconds(5);
};

/// Drives one robot along a route by commands, while the session is in run2. Its behaviors, most urgent
/// first: dock if the battery is low, visit the waypoints. It never resumes by itself after run2 has ended.
class Autopilot {
public:
    using State = data::RouteState;

    /// What the robot has shown of its map. Null: not known.
    struct ShownMap {
        const wire::Grid* grid = nullptr;
        const ShownText* places = nullptr;
    };
    using MapSource = std::function<ShownMap()>;
    Autopilot(RobotSession& session, const Clock& clock, const AutopilotSettings& settings,
              MapSource map = {});
    ~Autopilot();
    Autopilot(const Autopilot&) = delete;
    Autopilot& operator=(const Autopilot&) = delete;

    // Requests. Each returns why it is refused, or nullopt. `by` is who gives the lease to the autopilot;
    // after a refusal they keep it.
    std::optional<link::Objection> load(Route route);
    std::optional<link::Objection> start(std::string_view by = {});
    std::optional<link::Objection> pause();
    std::optional<link::Objection> resume(std::string_view by = {});
    std::optional<link::Objection> abort();
    /// Removes the route.
    std::optional<link::Objection> clear();

    /// Must be called when the session has new telemetry or another mode.
    void on_telemetry();
    void on_status();

    State state() const { return state_; }
    /// Returns the reason of an abnormal state; empty otherwise.
    const std::string& why() const { return why_; }
    const std::optional<Route>& route() const { return route_; }
    /// Returns the index of the current target point, from 0.
    std::size_t next_point() const { return next_; }
    /// Returns the section `route`, or nullopt if there is no route.
    std::optional<data::Route> shown() const;

private:
    class DockWhenLow;
    class VisitWayPoints;

    std::unique_ptr<WayFinder> make_way_finder();
    /// Map and zones.
    void take_map(WayFinder& way);
    /// Returns why the points cannot be visited in this order, by the map; nullopt if it is not known.
    std::optional<link::Objection> objection_to_points(WayFinder& way) const;
    void begin();
    void remove();
    void end(State state, std::string why);
    void drive();
    void reach_point();
    void move(const motion::MotionCommand& motion);
    void dock();
    void refused(const link::Answer& answer);
    /// A route belongs to one start of the robot's program, whose map has its points. After another start an
    /// open route fails, without its points; any other is removed.
    void end_with_life();
    /// Returns why the route cannot be started: the robot's program was started again since it was loaded,
    /// and its map begins anew. nullopt: it can.
    std::optional<link::Objection> objection_to_age() const;
    std::string point_text(std::size_t index) const;

    RobotSession& session_;
    const Clock& clock_;
    AutopilotSettings settings_;
    MapSource map_;
    std::string places_;  ///< the last ones, as JSON
    std::shared_ptr<const std::vector<Zone>> zones_;
    State state_ = State::idle;
    std::string why_{};
    std::string waits_{};
    std::optional<Route> route_{};
    std::uint64_t life_ = 0;  ///< of the robot, whose map has the points of the route; 0: not known yet
    std::size_t next_ = 0;
    int round_ = 0;
    std::unique_ptr<WayFinder> way_;
    behavior::Facts facts_;
    std::unique_ptr<behavior::BehaviorRunner> runner_;
    std::optional<motion::MotionCommand> motion_{};  ///< last one sent
    Instant sent_at_{};
    std::optional<Instant> refused_since_{};
    /// Answers may arrive after destruction.
    std::shared_ptr<Autopilot*> self_ = std::make_shared<Autopilot*>(this);
};

}  // namespace caribou::station
