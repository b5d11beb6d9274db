#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "data/mode_changes.hpp"
#include "data/status.hpp"
#include "link/answer.hpp"
#include "link/command.hpp"

namespace caribou::station {

/// The latest changes of the modes of one robot, for people who look at it later. A robot does not report why
/// its run mode has changed; the reason is the command that has requested it here, or what the robot has
/// stated about its end.
class ModeHistory {
public:
    /// Must be called with each state of the robot. `now`: UNIX seconds. Returns whether a mode has changed.
    bool take(const data::Status& status, double now);
    /// Must be called for each command to the robot, with the name of its sender, and for each answer.
    void on_command(const link::Command& command, std::string asker, double now);
    void on_answer(const link::Answer& answer);

    const data::ModeChanges& changes() const { return changes_; }

    static constexpr std::size_t limit = 16;     ///< of each kind of mode
    static constexpr double request_limit = 10;  ///< seconds after a command in which its change is expected

private:
    /// A command that leads to another run mode.
    struct Request {
        link::CommandId id;
        link::RunMode to{};
        std::string why{};
        double at = 0;
    };
    bool take_link(const data::Status& status, double now);
    bool take_run_mode(const data::Status& status, double now);
    /// Returns why the run mode has changed to this one; empty if that is not known.
    std::string reason_for(const data::Status& status, link::RunMode mode, double now);
    /// Notes a change from the last known text, if there is one. Returns whether there is a change.
    bool note(data::ModeKind what, std::optional<std::string>& known, std::string now_in, std::string why,
              double now);

    data::ModeChanges changes_{};
    std::optional<std::string> run_mode_{};
    std::optional<std::string> com_mode_{};
    std::optional<std::string> link_{};
    std::optional<Request> request_{};
};

}  // namespace caribou::station
