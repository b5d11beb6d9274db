#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "behavior/facts.hpp"
#include "behavior/runner.hpp"
#include "link/answer.hpp"
#include "station/robot_session.hpp"
#include "station/route.hpp"
#include "station/way_finder.hpp"

namespace caribou::station {

struct AutopilotSettings {
    WayFinderSettings way{};
    double battery_low = 0.2;                          ///< it goes to its dock then
    Duration renew = std::chrono::milliseconds(200);   ///< motion is sent again
    Duration life = std::chrono::milliseconds(500);    ///< of a motion command
    Duration refused_limit = std::chrono::seconds(5);  ///< of nothing but refusals, until it gives up
};

/// Drives one robot along a route, through commands, while the session is in run2. Its behaviors are, from
/// the most urgent: go to the dock when the battery is low, visit the way-points. It never goes on by
/// itself once something has ended run2.
class Autopilot {
public:
    enum class State : std::uint8_t { idle, driving, paused, arrived, failed, aborted };

    Autopilot(RobotSession& session, const Clock& clock, const AutopilotSettings& settings);
    ~Autopilot();
    Autopilot(const Autopilot&) = delete;
    Autopilot& operator=(const Autopilot&) = delete;

    // What people ask for. Why not.
    std::optional<link::Objection> load(Route route);
    std::optional<link::Objection> start();
    std::optional<link::Objection> pause();
    std::optional<link::Objection> resume();
    std::optional<link::Objection> abort();

    /// The session has new telemetry, or another mode.
    void on_telemetry();
    void on_status();

    State state() const { return state_; }
    /// Why it is in that state, if it is not as it should be.
    const std::string& why() const { return why_; }
    const std::optional<Route>& route() const { return route_; }
    /// The number of the point that is gone to; from 0.
    std::size_t next_point() const { return next_; }
    /// The section `route` of docs/formats/station-api.md; empty: there is no route.
    std::string json() const;

private:
    class DockWhenLow;
    class VisitWayPoints;

    void begin();
    void end(State state, std::string why);
    void drive();
    void reach_point();
    void move(motion::MovementCommand movement);
    void dock();
    void refused(const link::Answer& answer);
    std::string point_text() const;

    RobotSession& session_;
    const Clock& clock_;
    AutopilotSettings settings_;
    State state_ = State::idle;
    std::string why_{};
    std::string waits_{};
    std::optional<Route> route_{};
    std::size_t next_ = 0;
    int round_ = 0;
    std::unique_ptr<WayFinder> way_;
    behavior::Facts facts_;
    std::unique_ptr<behavior::BehaviorRunner> runner_;
    std::optional<motion::MovementCommand> movement_{};  ///< that was sent last
    Instant sent_at_{};
    std::optional<Instant> refused_since_{};
    /// Answers may come when it has gone.
    std::shared_ptr<Autopilot*> self_ = std::make_shared<Autopilot*>(this);
};

std::string_view to_string(Autopilot::State state);

}  // namespace caribou::station
