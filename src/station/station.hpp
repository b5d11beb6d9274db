#pragma once

#include <vector>

#include "station/fleet.hpp"
#include "station/fleet_feed.hpp"

namespace caribou::station {

/// The fleet, what is told of it, and whoever else wants to hear what happens.
class Station final : SessionEvents {
public:
    Station(Loop& loop, Network& network, FleetSettings settings, Log& log);
    Station(const Station&) = delete;
    Station& operator=(const Station&) = delete;

    Fleet& fleet() { return fleet_; }
    FleetFeed& feed() { return feed_; }
    const Clock& clock() const { return loop_.clock(); }
    /// Hears everything until it is removed.
    void add_listener(SessionEvents& listener) { listeners_.push_back(&listener); }
    void remove_listener(SessionEvents& listener) { std::erase(listeners_, &listener); }

private:
    void on_status(RobotSession& session) override;
    void on_telemetry(RobotSession& session) override;
    void on_report(RobotSession& session, std::string_view text) override;
    void on_command(RobotSession& session, const link::Command& command, const Asker& asker) override;
    void on_answer(RobotSession& session, const link::Answer& answer) override;
    std::string section_json(const std::string& robot, Section section);

    Loop& loop_;
    Log& log_;
    FleetFeed feed_;
    std::vector<SessionEvents*> listeners_;
    Fleet fleet_;
};

}  // namespace caribou::station
