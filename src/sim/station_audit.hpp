#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "station/robot_session.hpp"

namespace caribou::sim {

/// Observes the commands that a station sends, and checks that its autopilot drives no robot after a person
/// has stopped, driven or docked it, has changed its run mode, or has taken its lease, until a person starts
/// the autopilot again.
class StationAudit final : public station::SessionEvents {
public:
    /// Must be called when a person has started the autopilot of a robot.
    void started(std::string_view robot) { robots_[std::string(robot)].taken_over.reset(); }
    /// Must be called when the station was restarted.
    void restart() { robots_.clear(); }
    /// Returns the id of the earliest full stop that was sent to a robot and is not answered.
    std::optional<std::uint64_t> open_stop(std::string_view robot) const;
    const std::vector<std::string>& findings() const { return findings_; }

    void on_command(station::RobotSession& session, const link::Command& command,
                    const station::Asker& asker) override {
        sent(session.name(), command, asker.name);
    }
    void on_answer(station::RobotSession& session, const link::Answer& answer) override {
        answered(session.name(), answer);
    }
    void on_status(station::RobotSession&) override {}
    void on_telemetry(station::RobotSession&) override {}
    void on_report(station::RobotSession&, std::string_view) override {}

    void sent(const std::string& robot, const link::Command& command, std::string_view asker);
    void answered(const std::string& robot, const link::Answer& answer);

private:
    struct Robot {
        std::optional<link::CommandId> taken_over{};  ///< the command of a person that has done so
        std::set<std::uint64_t> stops{};              ///< not answered
    };

    std::map<std::string, Robot, std::less<>> robots_;
    std::vector<std::string> findings_;
};

}  // namespace caribou::sim
