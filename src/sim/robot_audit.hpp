#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "loop/clock.hpp"
#include "sim/command_listener.hpp"
#include "sim/drive_audit.hpp"

namespace caribou::sim {

/// Passes the commands on a robot's connections to DriveAudit, stores when the last full stop was executed,
/// and checks that no release is executed that was sent before a full stop which the robot has executed
/// before it read the release.
class RobotAudit final : public CommandListener {
public:
    RobotAudit(const Clock& clock, const motion::MotionSettings& settings) : drive(settings), clock_(clock) {}

    DriveAudit drive;

    /// The robot has answered `DONE` to a command that did not arrive on a connection.
    void on_done(const link::Command& command) { on_done({}, command, clock_.now()); }
    /// It has executed a full stop that its station has sent as a datagram: this one, or a later one.
    void on_datagram_stop(StreamNumber station, std::uint64_t id);
    /// Returns when it last read a full stop.
    Instant last_stop() const { return last_stop_; }
    const std::vector<std::string>& findings() const { return findings_; }

    void on_command(StreamNumber stream, const link::Command& command) override;
    void on_done(StreamNumber stream, const link::Command& command, Instant read) override;
    void on_gone(StreamNumber stream) override;

private:
    struct Connection {
        std::uint64_t stop = 0;                    ///< id of the latest full stop; ids of a station increase
        std::map<std::uint64_t, bool> releases{};  ///< whether each was sent before a stop that is executed
    };

    const Clock& clock_;
    Instant last_stop_{};
    std::map<StreamNumber, Connection> connections_;
    std::vector<std::string> findings_;
};

}  // namespace caribou::sim
