#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "child/program.hpp"
#include "child/world_process.hpp"
#include "loop/time.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::tests {

/// What keeps a robot from stopping its body.
enum class Trouble : std::uint8_t {
    stopped,                   ///< SIGSTOP to the robot's process
    killed,                    ///< SIGKILL to the robot's process
    propulsion_stopped,        ///< a ptrace stop of the propulsion thread alone
    frozen,                    ///< a frozen control group (v2) with robot and driver
    driver_stopped,            ///< SIGSTOP to the driver: it hangs
    driver_stopped_at_end,     ///< SIGSTOP to the driver, and at once SIGTERM to the program that was started
    driver_and_guard_stopped,  ///< SIGSTOP to the driver and to the guard
    guard_killed,              ///< SIGKILL to the guard
};
std::string_view to_string(Trouble trouble);

/// A robot that turns on the spot in a world of another process, under its guard: robot, driver, guard and
/// world are the program as people start it.
class GuardedDrive {
public:
    GuardedDrive();

    /// Lets the driver be started by a script, in a session of its own.
    void use_session_of_its_own() { in_own_session_ = true; }
    /// Starts this program of Python in the background of the driver.
    void run_beside_driver(const std::string& python) {
        beside_driver_ = scratch_.write("beside.py", python);
    }
    /// Returns the living processes that run it.
    std::vector<pid_t> beside_driver() const;
    /// Returns whether all of them had ended 0.8 s after the last cut, before the next driver is started, or
    /// 5 s after the guard was killed.
    bool killed_beside_driver() const { return killed_beside_driver_; }
    /// Lets guard, robot and driver have control groups of their own.
    void use_control_groups() { in_control_groups_ = true; }
    /// Starts a robot, waits until it moves, makes trouble, and ends everything but the world again. Returns
    /// the time from the robot's last feed to zero ordered, as the world's process recorded it; for a driver
    /// that is stopped and a guard that is killed, from the signal. None: see why().
    std::optional<Duration> cut_once(Trouble trouble);
    /// Why the last call returned nothing.
    const std::string& why() const { return why_; }
    /// The reason that the guard has logged for its last cut.
    const std::string& reason() const { return reason_; }
    std::string log() const;

private:
    struct Processes {
        pid_t guard = -1;
        pid_t robot = -1;
        pid_t driver = -1;
    };

    std::string configuration() const;
    std::optional<Processes> start(const Words& words);
    std::optional<Duration> make_trouble(Trouble trouble, const Processes& processes);
    std::optional<Duration> time_of_cut(std::optional<Instant> since);
    /// Without a cut that is logged.
    std::optional<Duration> time_to_zero(Instant since);
    std::optional<Instant> zero_ordered();
    std::nullopt_t fail_with(std::string why);

    TemporaryFolder scratch_;
    WorldProcess world_;
    std::unique_ptr<ChildProcess> program_;
    std::string why_;
    std::string reason_;
    bool in_own_session_ = false;
    bool in_control_groups_ = false;
    std::string beside_driver_;
    bool killed_beside_driver_ = false;
    std::size_t orders_before_ = 0;  ///< in the world's trace, at the trouble
};

}  // namespace caribou::tests
