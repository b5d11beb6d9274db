#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "station/autopilot.hpp"
#include "station/fleet.hpp"
#include "station/fleet_feed.hpp"
#include "station/mode_history.hpp"
#include "station/view_reader.hpp"

namespace caribou::station {

/// The fleet, its feed, and further listeners.
class Station final : SessionEvents {
public:
    Station(Loop& loop, Network& network, FleetSettings settings, Log& log, AutopilotSettings pilot = {});
    Station(const Station&) = delete;
    Station& operator=(const Station&) = delete;

    Fleet& fleet() { return fleet_; }
    FleetFeed& feed() { return feed_; }
    /// Returns the autopilot of a robot, created by the first call.
    Autopilot& pilot(RobotSession& session);
    /// Returns the route of a robot; nullopt if it has none.
    std::optional<data::Route> route(const std::string& robot) const;
    /// Must be called after a request to an autopilot.
    void tell_route(const std::string& robot);
    const Clock& clock() const { return loop_.clock(); }

    /// The wanted views by robot; replaces the previous ones. Views that are not wanted are not transmitted.
    using Wants = std::map<std::string, std::set<views::View>, std::less<>>;
    void want(Wants wants);
    /// Sets the preferred encoding of the camera by robot; `full` for the others.
    using CameraChoices = std::map<std::string, views::CameraEncoding, std::less<>>;
    void choose_cameras(CameraChoices choices) { cameras_ = std::move(choices); }
    /// Sets views that are wanted of every robot in addition.
    void want_of_all(std::set<views::View> views);
    /// Returns whether the section `scan` of the robot is its whole scan, not the few ranges of telemetry.
    bool shows_scan(const std::string& robot) const;
    /// Returns the views of a robot, created by the first call.
    ViewReader& views_of(RobotSession& session);
    /// Returns them, or null if none was requested yet.
    const ViewReader* find_views(const std::string& robot) const;
    /// Reads views from this transport instead of the robots' sessions. It must outlive the station.
    void read_views_from(negotiation::Transport& transport) { topics_ = &transport; }

    /// Returns a section of a robot as JSON; empty if there is none.
    std::string section(const std::string& robot, Section section);

    /// Adds a listener, which receives all events until it is removed.
    void add_listener(SessionEvents& listener) { listeners_.push_back(&listener); }
    void remove_listener(SessionEvents& listener) { std::erase(listeners_, &listener); }

private:
    std::set<views::View> wanted_of(const std::string& robot) const;
    void tell_wants();
    void tell_wants(RobotSession& session);
    void read_views(RobotSession& session, const std::set<views::View>& wanted);
    const wire::Grid* grid_of(const std::string& robot) const;
    /// Notes changes of its modes.
    void watch_modes(const RobotSession& session);
    void on_view(RobotSession& session, views::View view) override;
    void on_status(RobotSession& session) override;
    void on_telemetry(RobotSession& session) override;
    void on_report(RobotSession& session, std::string_view text) override;
    void on_command(RobotSession& session, const link::Command& command, const Asker& asker) override;
    void on_answer(RobotSession& session, const link::Answer& answer) override;

    Loop& loop_;
    Log& log_;
    FleetFeed feed_;
    std::vector<SessionEvents*> listeners_;
    AutopilotSettings pilot_settings_;
    Fleet fleet_;
    std::map<std::string, std::unique_ptr<Autopilot>, std::less<>> pilots_;
    std::map<std::string, ModeHistory, std::less<>> histories_;
    negotiation::Transport* topics_ = nullptr;
    Wants wants_;
    CameraChoices cameras_;
    std::set<views::View> wanted_of_all_;
    std::map<std::string, std::unique_ptr<ViewReader>, std::less<>> views_;
};

}  // namespace caribou::station
