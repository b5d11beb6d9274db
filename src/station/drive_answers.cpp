#include "station/drive_answers.hpp"

#include "link/command_table.hpp"
#include "station/fleet_picture.hpp"

namespace caribou::station {

using link::CommandCode;

namespace {

/// Returns a short name for people: the movement, or the name of the command.
std::string name_of(const link::Command& command) {
    if (const std::string movement = command.text("movement"); !movement.empty()) return movement;
    return std::string(link::find_command(command.code)->name);
}

}  // namespace

void DriveAnswers::sent(std::uint64_t id, const link::Command& command) {
    pending_.insert_or_assign(id, command);
    if (command.code == CommandCode::full_stop) unanswered_stop_ = id;
    if (pending_.size() > most_pending) pending_.erase(pending_.begin());
}

void DriveAnswers::take(const data::AnswerMessage& answer, Instant now) {
    latest_ = to_string(answer);
    if (answer.final && answer.id == unanswered_stop_) unanswered_stop_.reset();
    const auto found = pending_.find(answer.id);
    if (found == pending_.end()) return;
    const link::Command command = found->second;
    if (answer.final) pending_.erase(found);
    if (answer.refusal) {
        refused_ = {name_of(command), latest_, now};
        refused_code_ = command.code;
    } else if (refused_ && settles(command)) {
        refused_.reset();
    }
}

bool DriveAnswers::settles(const link::Command& done) const {
    if (refused_code_ == CommandCode::full_stop)
        return done.code == CommandCode::full_stop || done.code == CommandCode::release_stop;
    return !link::is_halt(done);
}

}  // namespace caribou::station
