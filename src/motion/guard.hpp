#pragma once

#include <deque>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "loop/time.hpp"
#include "motion/guard_message.hpp"

namespace caribou::motion {

/// How a guard stops a body.
enum class GuardWay : std::uint8_t {
    driver,  ///< it kills the driver's process and writes the stop frame to the device
    line,    ///< it pulls an enable line of its own
};

struct GuardLimits {
    Duration feed = std::chrono::milliseconds(200);  ///< silence after which the body is cut
    /// For which the robot has reported a driver as lost. A robot does so after three silent periods of the
    /// driver, so that a driver is cut after about as much silence as a robot.
    Duration lost = std::chrono::milliseconds(140);
    Duration hello = std::chrono::seconds(5);             ///< that a driver has to introduce itself
    Duration farewell = std::chrono::milliseconds(500);   ///< that a driver has to end by itself
    Duration terminate = std::chrono::milliseconds(500);  ///< that it then has to end by SIGTERM
    Duration pause = std::chrono::seconds(1);             ///< from a cut to the next restoration
    std::size_t restorations = 5;                         ///< per window, then the guard gives up
    Duration window = std::chrono::minutes(1);
    /// From a signal that ends the robot, or its bye, to its end or its next start; then it is killed. Longer
    /// than the limits of the robot itself.
    Duration end = std::chrono::seconds(15);
    /// From such a signal until the motors of a robot that orders rest are off; then the body is cut.
    Duration switch_off = std::chrono::seconds(3);
    Duration killed = std::chrono::seconds(2);  ///< from there to the end of the guard, even without it
};

/// Decides when a body is stopped from outside the robot's process, and when it can be moved again.
///
/// | state | meaning                              | left by                                                 |
/// |-------|--------------------------------------|---------------------------------------------------------|
/// | off   | no robot runs, or it has said bye    | start: armed                                            |
/// | armed | the body can be moved                | silence, an end or a stop of the robot, a lost driver:  |
/// |       |                                      | cut; bye: off, after a cut if rest is not confirmed     |
/// | cut   | the body is stopped                  | a feed without motion: armed, unless it has given up    |
///
/// While the last feed said that the motors are off, silence cuts nothing. Every event returns what the
/// caller has to do, in this order. Not thread-safe.
class Guard {
public:
    /// Stop the body now, and report the reason to the robot if it lives.
    struct Cut {
        std::string reason;
        friend bool operator==(const Cut&, const Cut&) = default;
    };
    /// Let the body be moved: start the driver, or raise the line.
    struct Restore {
        friend bool operator==(const Restore&, const Restore&) = default;
    };
    /// The robot ends in good order: lower the line. The driver, which has received the last order and the
    /// goodbye of the robot, ends by itself.
    struct Release {
        friend bool operator==(const Release&, const Release&) = default;
    };
    /// Send SIGTERM to the driver.
    struct Terminate {
        friend bool operator==(const Terminate&, const Terminate&) = default;
    };
    /// Kill the robot's process, and store that it starts stopped.
    struct Kill {
        friend bool operator==(const Kill&, const Kill&) = default;
    };
    /// Report to people that the body stays cut.
    struct GiveUp {
        std::string reason;
        friend bool operator==(const GiveUp&, const GiveUp&) = default;
    };
    /// End with the status of the robot.
    struct End {
        int status = 0;
        friend bool operator==(const End&, const End&) = default;
    };
    using Action = std::variant<Cut, Restore, Release, Terminate, Kill, GiveUp, End>;
    using Actions = std::vector<Action>;

    /// Exit status of a robot that is off and must not be started again by a supervisor (RM0).
    static constexpr int off_status = 10;

    explicit Guard(GuardWay way, GuardLimits limits = {}) : way_(way), limits_(limits) {}

    Actions on_message(const RobotToGuard& message, Instant now);
    /// Why the robot is to end.
    enum class Ending : std::uint8_t { shutdown, power_off };
    /// A signal that ends the robot was forwarded to it. The body is not restored any more.
    void on_end_requested(Instant now, Ending why);
    /// The robot's process was stopped by a signal.
    Actions on_robot_stopped();
    Actions on_robot_ended(int status);
    Actions on_driver_ended(Instant now);
    /// Restore failed. The body is cut, the attempt does not count, and the next one is due after `pause`.
    void on_not_restored(Instant now);
    /// The caller reports the time at due() or earlier, and reads all datagrams that have arrived before.
    Actions on_time(Instant now);
    /// When on_time() has something to do. None: never.
    std::optional<Instant> due() const;

    /// Another way to stop the body, set while Restore is carried out: its configuration has changed.
    void set_way(GuardWay way, Instant now);

    bool armed() const { return state_ == State::armed; }
    bool off() const { return state_ == State::off; }
    /// As declared by the driver that introduced itself last.
    const DriverFacts& driver() const { return facts_; }
    /// The time of the last feed, as the robot stamped it; none before the first one.
    std::optional<Instant> last_feed() const { return last_feed_; }

private:
    enum class State : std::uint8_t { off, armed, cut };

    Actions take(const GuardStart& start, Instant now);
    Actions take(const GuardFeed& feed, Instant now);
    Actions take(const DriverFacts& facts, Instant now);
    Actions take(const GuardBye& bye, Instant now);
    Actions cut(std::string reason, Instant now);
    Actions try_to_restore(Instant now);
    Action restored(Instant now);
    void expect_end(Instant now);

    GuardWay way_;
    GuardLimits limits_;
    State state_ = State::off;
    bool motors_on_ = false;  ///< by the last feed
    bool moving_ = false;     ///< same
    std::optional<Instant> last_feed_{};
    Instant latest_{};  ///< the latest time that an event brought
    Instant cut_at_{};
    Instant restored_at_{};
    std::optional<Instant> lost_since_{};   ///< the driver does not answer
    std::optional<Instant> hello_by_{};     ///< the driver has not introduced itself yet
    std::optional<Instant> farewell_by_{};  ///< the driver has not ended yet
    bool is_terminated_ = false;            ///< it was sent SIGTERM
    std::optional<Instant> end_by_{};       ///< the robot has to end, or start anew
    bool is_killed_ = false;                ///< it did not
    std::optional<Instant> off_by_{};       ///< its motors have to be off, because a signal ends it
    bool is_power_off_ = false;             ///< that signal is a power-off
    std::optional<int> status_{};           ///< of the robot that has ended
    bool driver_runs_ = false;
    bool given_up_ = false;
    std::deque<Instant> restorations_{};
    DriverFacts facts_{};
};

}  // namespace caribou::motion
