#include "sim/robot_audit.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "link/command_movement.hpp"
#include "link/command_table.hpp"

namespace caribou::sim {

using link::CommandCode;

void RobotAudit::on_datagram_stop(StreamNumber station, std::uint64_t id) {
    last_stop_ = clock_.now();
    drive.stop(clock_.now());
    Connection& connection = connections_[station];
    connection.stop = std::max(connection.stop, id);
}

void RobotAudit::on_command(StreamNumber stream, const link::Command& command) {
    if (link::is_motion(command.code)) drive.asked(clock_.now());
    if (command.code == CommandCode::release_stop) {
        drive.release_asked(clock_.now());
        Connection& connection = connections_[stream];
        connection.releases[command.id.value] = command.id.value < connection.stop;
    }
    if (command.code != CommandCode::full_stop) return;
    last_stop_ = clock_.now();
    drive.stop(clock_.now());
    Connection& connection = connections_[stream];
    connection.stop = std::max(connection.stop, command.id.value);
}

void RobotAudit::on_done(StreamNumber stream, const link::Command& command, Instant read) {
    if (command.code == CommandCode::release_stop) {
        drive.release();
        if (connections_[stream].releases[command.id.value] && findings_.empty())
            findings_.push_back(fmt::format("it has executed release {}, which was sent before full stop {}",
                                            command.id.value, connections_[stream].stop));
    }
    if (command.code == CommandCode::full_stop) drive.acknowledged();
    if (command.code == CommandCode::take_lease) drive.leased(stream, clock_.now());
    if (!link::is_motion(command.code)) return;
    if (const auto motion = link::motion_of(command))
        drive.moved(stream, *motion, command.duration("ttl"), read, clock_.now());
}

void RobotAudit::on_gone(StreamNumber stream) {
    drive.gone(stream, clock_.now());
    connections_.erase(stream);
}

}  // namespace caribou::sim
