#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <utility>

#include "data/modes.hpp"
#include "link/answer.hpp"
#include "link/com_mode.hpp"
#include "link/run_mode.hpp"
#include "loop/time.hpp"
#include "motion/motion.hpp"
#include "robot/com_modes.hpp"

namespace caribou::robot {

struct RunModeRules {
    bool allow_blind_server_mode = false;          ///< RM3 with CM2: driven by a station without telemetry
    link::RunMode wake_mode = link::RunMode::rm3;  ///< after a start in RM1
    std::string not_self_checked{};                ///< why RM2 and RM3 are refused; empty if they are not
};

/// A transition between modes.
struct ModeChange {
    link::RunMode from{};
    link::RunMode to{};
    std::optional<link::WaitReason> reason{};  ///< for RM1
    std::string why{};

    friend bool operator==(const ModeChange&, const ModeChange&) = default;
};
std::string to_string(const ModeChange& change);

/// A request for a mode.
struct ModeWish {
    link::RunMode mode{};
    std::optional<link::WaitReason> reason{};  ///< for RM1, and required there
    std::optional<Duration> time{};            ///< of a sleep
};

/// The run mode and the com mode of a robot, and all transitions:
///
/// | from    | to                                                                      |
/// |---------|-------------------------------------------------------------------------|
/// | init    | 2, 3, 1 for a time; 0                                                   |
/// | 2, 3    | each other; 1, 0, 5; 3 to 2 and back for docking                        |
/// | 1       | by a signal of its reason the mode it came from, or another wait if     |
/// |         | that is impossible; by the station 2 or 3; 0, 5                         |
/// | 0, 5    | none: commands are answered BUSY during shutdown                        |
///
/// A robot that is not self-checked enters neither RM2 nor RM3, but waits in RM1 (RequestedSleep).
///
/// RM4 is RM5. RM3 requires CM3, or CM2 if the rules permit it; a robot in RM3 that loses its link changes to
/// RM1 in the same step as the com mode. So an invalid pair is never visible.
class RunModes {
public:
    using Outcome = std::expected<ModeChange, link::Objection>;

    RunModes(RunModeRules rules, ComRules com)
        : rules_(std::move(rules)), com_(com), came_from_(rules_.wake_mode) {}

    link::RunMode mode() const { return mode_; }
    link::ComMode com_mode() const { return com_mode_; }
    /// Set in RM1 only.
    std::optional<link::WaitReason> wait_reason() const { return reason_; }
    /// All of them, as telemetry reports them.
    data::Modes modes() const { return {.run_mode = mode_, .waits_for = reason_, .com_mode = com_mode_}; }
    /// Returns why the robot is in this mode.
    const std::string& why() const { return why_; }
    /// Returns whether it is shutting down: no command is accepted.
    bool busy() const { return mode_ == link::RunMode::rm0 || mode_ == link::RunMode::rm5; }
    /// Sets whether it can be charged: contact and current.
    void set_charger(bool takes_current) { takes_current_ = takes_current; }
    const ComModes& com() const { return com_; }

    /// Returns whether the link permits this mode.
    bool link_permits(link::RunMode mode) const { return !guard(mode); }
    /// Returns why a command for that mode would be refused now; nullopt if it would not.
    std::optional<link::Objection> objection_to(const ModeWish& wish) const;

    /// Leaves init. RM3 without a station becomes a wait for one.
    Outcome start(const ModeWish& wish, Instant now);
    /// Executes a command. Returns the objection or the change.
    Outcome request(const ModeWish& wish, Instant now);
    /// The robot drives by itself to its dock, or to a place: RM3 -> RM2, and returns to RM3 afterwards. No
    /// change in RM2. Returns why it cannot in the present mode.
    std::expected<std::optional<ModeChange>, link::Objection> begin_docking(std::string why);
    /// That ended without charging. Returns to RM3, or to the wait for its link, if begin_docking() left
    /// it.
    std::optional<ModeChange> end_docking(std::string why);
    /// Returns whether the robot is in RM2 only for that.
    bool docks_for_rm3() const { return docks_for_rm3_; }
    /// Handles an event that may end a wait. Returns nullopt if it does not. PowerOff leads to RM0 from every
    /// mode, unless the robot is shutting down already.
    std::optional<ModeChange> on_signal(link::WakeSignal signal);
    /// Contact with the charger, with current.
    std::optional<ModeChange> on_docked(Instant now);
    /// The contact was lost: returns to the previous mode, to dock again.
    std::optional<ModeChange> on_charger_lost();
    /// Handles an unrecoverable failure. Returns nullopt if it is shutting down already.
    std::optional<ModeChange> on_failure(std::string why);

    /// Returns whether the robot is in this mode already, and waits for this reason and without a new time,
    /// if it is RM1: the wish is fulfilled without a change.
    bool fulfills(const ModeWish& wish) const {
        if (busy() || docks_for_rm3_ || wish.mode != mode_) return false;
        if (mode_ == link::RunMode::rm1) return wish.reason == reason_ && !wish.time;
        return mode_ == link::RunMode::rm2 || mode_ == link::RunMode::rm3;
    }

    /// Events of the link. Each may change the mode.
    /// A station was received at `at`, which may be some time ago.
    std::optional<ModeChange> heard(Instant at, Instant now);
    std::optional<ModeChange> sending(bool up, Instant now);
    std::optional<ModeChange> deaf(Instant now);
    std::optional<ModeChange> listen(bool listens, Instant now);
    /// Must be called when time has passed.
    std::optional<ModeChange> tick(Instant now);
    /// Returns when tick() must be called next; nullopt: never.
    std::optional<Instant> due(Instant now) const;

private:
    /// Returns why the mode cannot be entered with the present link, or without a self-check.
    std::optional<link::Objection> guard(link::RunMode to) const;
    std::optional<link::Objection> object_to(const ModeWish& wish) const;
    bool could_end(const ModeWish& wish) const;
    ModeChange enter(link::RunMode to, std::optional<link::WaitReason> reason, std::string why);
    ModeChange enter_wait(const ModeWish& wish, std::string why, Instant now);
    /// Ends a wait in the mode that it came from, or in a wait for what that mode requires.
    ModeChange resume(std::string why);
    /// Same, for any requested mode.
    ModeChange enter_or_wait(link::RunMode to, std::string why);
    /// Returns what RM3 waits for with the present link.
    link::WaitReason lack() const;
    /// Updates the com mode, and makes the resulting change.
    std::optional<ModeChange> follow_com(Instant now);

    RunModeRules rules_;
    ComModes com_;
    link::RunMode mode_ = link::RunMode::init;
    link::ComMode com_mode_ = link::ComMode::cm0;
    std::optional<link::WaitReason> reason_;
    std::optional<Instant> wakes_;
    link::RunMode came_from_;
    bool docks_for_rm3_ = false;  ///< in RM2: begin_docking() left RM3
    bool takes_current_ = false;
    std::string why_ = "starting";
};

/// Returns the motion permitted in a mode; none in RM1.
motion::MotionPermit permit_in(link::RunMode mode);

}  // namespace caribou::robot
