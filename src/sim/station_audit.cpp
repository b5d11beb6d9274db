#include "sim/station_audit.hpp"

#include <fmt/format.h>

#include "link/command_table.hpp"

namespace caribou::sim {
namespace {

bool disengages_autopilot(const link::Command& command) {
    using enum link::CommandCode;
    return link::is_motion(command.code) || command.code == full_stop || command.code == dock ||
           command.code == set_run_mode || command.code == go_to_run_mode || command.code == take_lease;
}

}  // namespace

std::optional<std::uint64_t> StationAudit::open_stop(std::string_view robot) const {
    const auto found = robots_.find(robot);
    if (found == robots_.end() || found->second.stops.empty()) return std::nullopt;
    return *found->second.stops.begin();
}

void StationAudit::sent(const std::string& robot, const link::Command& command, std::string_view asker) {
    Robot& its = robots_[robot];
    if (command.code == link::CommandCode::full_stop) its.stops.insert(command.id.value);
    if (asker != station::RobotSession::autopilot) {
        if (disengages_autopilot(command)) its.taken_over = command.id;
        return;
    }
    constexpr std::size_t most = 20;
    if (its.taken_over && link::is_motion(command.code) && !link::is_halt(command) && findings_.size() < most)
        findings_.push_back(fmt::format("the autopilot drives {}, though a person has taken over", robot));
}

void StationAudit::answered(const std::string& robot, const link::Answer& answer) {
    using enum link::Refusal;
    Robot& its = robots_[robot];
    if (answer.is_final()) its.stops.erase(answer.id.value);
    // What the station itself has refused to send has no effect.
    const bool is_not_sent = answer.refusal == busy || answer.refusal == unavailable ||
                             answer.refusal == bad_argument || answer.refusal == not_allowed;
    if (is_not_sent && its.taken_over == answer.id) its.taken_over.reset();
}

}  // namespace caribou::sim
