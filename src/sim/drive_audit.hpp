#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "link/command.hpp"
#include "link/run_mode.hpp"
#include "loop/time.hpp"
#include "motion/motion_command.hpp"
#include "motion/motion_settings.hpp"
#include "motion/movement.hpp"
#include "motion/way.hpp"
#include "sim/tapped_network.hpp"

namespace caribou::sim {

/// Derives when a robot may move from the commands that it was sent, and checks the speeds ordered at its
/// wheels. Does not use the reports of propulsion.
///
/// A robot may move
/// - in RM2, by its behaviors;
/// - in RM3, for the time to live of the last motion command that was executed, unless it was older than
///   that, its connection has ended, a HALT or a full stop followed it, or the mode has changed since; and
///   not later than twice the time to live of the last command after it was sent (its age when it is
///   executed, and then its time to live), plus `under_way`;
/// - for the time of a reflex after a bumper or a cliff sensor has responded;
/// - never between a full stop and its release, even after a restart of its program;
/// - not after another peer has taken the lease, by a command of its previous holder.
///
/// 1. No wheel gains speed while the robot may not move.
/// 2. Once it may not, it brakes at once, and is at rest after the time that braking takes.
/// 3. Three periods after a full stop was read it is at rest; later only if the settings have a deceleration
///    of full stops.
/// 4. Between two movements of which one may not follow the other, HALT lasts for its dwell time; not if a
///    velocity was ordered, nor in RM2, where its behaviors order velocities, too.
/// 5. It brakes while it drives to where a bumper or a cliff sensor responds, and while it is lifted, whoever
///    drives it.
/// 6. In RM3 it drives in the direction of the order, or brakes, except for the time of a reflex. In the
///    direction of a velocity, and of a movement that follows one, it drives after the time from one highest
///    speed to the opposite one.
class DriveAudit {
public:
    /// Tolerance for the age of a motion command: the error of the measured clock offset, and the delay of
    /// the slowest simulated network.
    static constexpr Duration under_way = std::chrono::milliseconds(500);

    /// The sides of the hull where a bumper or a cliff sensor responds.
    struct Touch {
        bool ahead = false;
        bool behind = false;
        bool aside = false;
        bool lifted = false;  ///< there is no floor on any side
    };

    explicit DriveAudit(const motion::MotionSettings& settings) : settings_(settings) {}

    /// A motion command with this time to live was sent to the robot.
    void sent(Instant now, Duration time_to_live) {
        sent_until_ = std::max(sent_until_, now + 2 * time_to_live);
    }

    /// The robot has read a full stop.
    void stop(Instant now);
    /// A full stop was answered with `DONE`: from now on it survives a restart of the program.
    void acknowledged() { acknowledged_ = stopped_.has_value(); }
    /// A release was read, and may be executed before it is answered.
    void release_asked(Instant now) { release_asked_ = now; }
    /// A release was executed.
    void release() {
        stopped_.reset();
        acknowledged_ = false;
    }
    /// A motion command was read, and may be executed before it is answered.
    void asked(Instant now) { asked_ = now; }
    /// A motion command that was read at `read` was executed at `now`: its time to live starts.
    void moved(StreamNumber stream, const motion::MotionCommand& motion, std::optional<Duration> time_to_live,
               Instant read, Instant now);
    /// The connection has ended: its command may move the wheels until the next step of propulsion.
    void gone(StreamNumber stream, Instant now);
    /// Sets the mode of the robot; nullopt if its program does not run.
    void mode(std::optional<link::RunMode> mode);
    /// A peer has taken the lease: the robot halts, unless it drives by a command of that peer.
    void leased(StreamNumber stream, Instant now);
    /// Sets what the sensors of the hull respond to.
    void feel(const Touch& touch, Instant now);

    /// Checks the speeds ordered at the wheels. Must be called in every period of propulsion.
    void driven(motion::WheelSpeeds speeds, Instant now);

    /// The robot's program is restarted. An acknowledged stop remains.
    void restart() {
        if (!acknowledged_) stopped_.reset();
        order_.reset();
    }

    const std::vector<std::string>& findings() const { return findings_; }

private:
    struct Order {
        StreamNumber stream{};
        Instant until{};
        motion::Way way{};
    };
    /// Returns why the robot may not move; empty if it may.
    std::string_view objection(Instant now) const;
    void check_permission(motion::WheelSpeeds speeds, Instant now);
    void check_dwell(motion::WheelSpeeds speeds, Instant now);
    void check_touch(motion::WheelSpeeds speeds, Instant now);
    void check_way(motion::WheelSpeeds speeds, Instant now);
    /// From when on the robot has to brake, and the speed of its faster wheel at that time.
    struct Braking {
        Instant since;
        double speed;
    };
    /// Returns whether it is as slow as braking makes it, after a tolerance of three periods.
    bool brakes(std::optional<Braking>& braking, double speed, Instant now) const;
    bool is_unanswered(Instant now) const;
    /// Returns whether a velocity may be what it drives.
    bool may_be_velocity(Instant now) const;
    /// Returns the time in which a wheel comes from one highest speed to the opposite one.
    Duration turnaround() const;
    void find(std::string what, Instant now);

    motion::MotionSettings settings_;
    std::optional<link::RunMode> mode_;
    std::optional<Order> order_;
    Instant sent_until_{};
    std::optional<Instant> asked_;
    std::optional<Instant> release_asked_;
    std::optional<Instant> stopped_;
    bool acknowledged_ = false;  ///< the stop
    std::optional<Instant> reflex_;
    std::optional<Braking> forbidden_;  ///< the robot may not move
    Touch touch_{};
    std::optional<Braking> touched_;        ///< it drives to where a sensor responds
    std::optional<Braking> astray_;         ///< it does not drive where it is ordered to
    motion::Way ordered_{};                 ///< the latest order
    bool is_velocity_ = false;              ///< the latest order
    Instant velocity_at_ = Instant::min();  ///< when it last may have driven a velocity
    motion::WheelSpeeds last_{};
    motion::MovementClass last_class_ = motion::MovementClass::halt;  ///< other than HALT
    std::optional<Instant> rested_;                                   ///< since when the wheels are at rest
    std::vector<std::string> findings_;
};

}  // namespace caribou::sim
