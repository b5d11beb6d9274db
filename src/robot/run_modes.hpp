#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>

#include "link/answer.hpp"
#include "link/com_mode.hpp"
#include "link/run_mode.hpp"
#include "loop/time.hpp"
#include "motion/motion.hpp"
#include "robot/com_modes.hpp"

namespace caribou::robot {

struct RunModeRules {
    bool allow_blind_server_mode = false;  ///< RM3 with CM2: steered by a station that is told nothing
    link::RunMode wake_mode = link::RunMode::rm3;  ///< after a start in RM1
};

/// One step from a mode to another.
struct ModeChange {
    link::RunMode from{};
    link::RunMode to{};
    std::optional<link::WaitReason> reason{};  ///< of RM1
    std::string why{};

    friend bool operator==(const ModeChange&, const ModeChange&) = default;
};
std::string to_string(const ModeChange& change);

/// A wish for a mode.
struct ModeWish {
    link::RunMode mode{};
    std::optional<link::WaitReason> reason{};  ///< for RM1, and needed there
    std::optional<Duration> time{};            ///< of a sleep
};

/// The run mode and the com mode of a robot, and every way from one to another:
///
/// | from    | to                                                                      |
/// |---------|-------------------------------------------------------------------------|
/// | init    | 2, 3, 1 for a time; 0                                                   |
/// | 2, 3    | each other; 1, 0, 5; 3 to 2 and back for docking                        |
/// | 1       | by a signal of its reason the mode it came from, or another wait if     |
/// |         | that cannot be; by the station 2 or 3; 0, 5                             |
/// | 0, 5    | nowhere: commands are answered BUSY while everything goes down          |
///
/// RM4 is RM5. RM3 needs CM3, or CM2 if the rules allow that; a robot in RM3 that loses more of its link
/// waits for it in RM1, at the very moment at which the com mode says so. So no invalid pair ever shows.
class RunModes {
public:
    using Outcome = std::expected<ModeChange, link::Objection>;

    RunModes(RunModeRules rules, ComRules com) : rules_(rules), com_(com), came_from_(rules.wake_mode) {}

    link::RunMode mode() const { return mode_; }
    link::ComMode com_mode() const { return com_mode_; }
    /// In RM1, and only there.
    std::optional<link::WaitReason> waits_for() const { return reason_; }
    /// Why the robot is in this mode.
    const std::string& why() const { return why_; }
    /// Everything goes down: no command is taken.
    bool busy() const { return mode_ == link::RunMode::rm0 || mode_ == link::RunMode::rm5; }
    /// Whether it can be charged: contact and current.
    void set_charger(bool takes_current) { takes_current_ = takes_current; }
    const ComModes& com() const { return com_; }

    /// Why a command for that mode would be refused now. None: it would not.
    std::optional<link::Objection> objection_to(const ModeWish& wish) const;

    /// Leaves init. RM3 without a station becomes a wait for one.
    Outcome start(const ModeWish& wish, Instant now);
    /// A command. Refused with a reason, or done.
    Outcome request(const ModeWish& wish, Instant now);
    /// The robot drives itself to its dock: RM3 -> RM2, and RM3 is where it returns to afterwards. In RM2
    /// nothing changes. Returns why the robot cannot dock in the present mode.
    std::expected<std::optional<ModeChange>, link::Objection> begin_docking(std::string why);
    /// Docking ended without charging. Returns to RM3, or to the wait for its link, if begin_docking() left
    /// it.
    std::optional<ModeChange> end_docking(std::string why);
    /// Something that could end a wait. None: it ends none.
    std::optional<ModeChange> on_signal(link::WakeSignal signal);
    /// The charger is there, with current.
    std::optional<ModeChange> on_docked(Instant now);
    /// The charger is gone: where it came from, to try again.
    std::optional<ModeChange> on_charger_lost();
    /// What cannot be recovered from. None: it is going down already.
    std::optional<ModeChange> on_failure(std::string why);

    /// What the link does. Each may change the mode.
    std::optional<ModeChange> heard(Instant now);
    std::optional<ModeChange> sending(bool up, Instant now);
    std::optional<ModeChange> deaf(Instant now);
    std::optional<ModeChange> listen(bool listens, Instant now);
    /// Time has passed.
    std::optional<ModeChange> tick(Instant now);
    /// When tick() has something to do. None: never.
    std::optional<Instant> due(Instant now) const;

private:
    /// Why the mode cannot be entered with the link as it is.
    std::optional<link::Objection> guard(link::RunMode to) const;
    std::optional<link::Objection> object_to(const ModeWish& wish) const;
    bool could_end(const ModeWish& wish) const;
    ModeChange enter(link::RunMode to, std::optional<link::WaitReason> reason, std::string why);
    ModeChange enter_wait(const ModeWish& wish, std::string why, Instant now);
    /// Ends a wait in the mode that it came from, or in a wait for what that one lacks.
    ModeChange resume(std::string why);
    /// The same for any mode that was wanted.
    ModeChange enter_or_wait(link::RunMode to, std::string why);
    /// What RM3 waits for, with the link as it is.
    link::WaitReason lack() const;
    /// Takes the com mode over, and what follows from it.
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

/// What each mode lets move. In RM1 nothing does.
motion::MotionPermit permit_in(link::RunMode mode);

}  // namespace caribou::robot
