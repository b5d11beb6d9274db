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
    Duration hello = std::chrono::seconds(5);     ///< that a driver has to introduce itself
    Duration farewell = std::chrono::seconds(1);  ///< that a driver has to end by itself
    Duration pause = std::chrono::seconds(1);     ///< from a cut to the next restoration
    std::size_t restorations = 5;                 ///< per window, then the guard gives up
    Duration window = std::chrono::minutes(1);
};

/// Decides when a body is stopped from outside the robot's process, and when it can be moved again.
///
/// | state | meaning                              | left by                                                 |
/// |-------|--------------------------------------|---------------------------------------------------------|
/// | off   | no robot runs, or it has said bye    | start: armed                                            |
/// | armed | the body can be moved                | silence, an end or a stop of the robot, a lost driver:  |
/// |       |                                      | cut; bye: off                                           |
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
    /// The robot ends in good order: lower the line, and request the driver to end.
    struct Release {
        friend bool operator==(const Release&, const Release&) = default;
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
    using Action = std::variant<Cut, Restore, Release, GiveUp, End>;
    using Actions = std::vector<Action>;

    explicit Guard(GuardWay way, GuardLimits limits = {}) : way_(way), limits_(limits) {}

    Actions on_message(const RobotToGuard& message, Instant now);
    /// The robot's process was stopped by a signal.
    Actions on_robot_stopped();
    Actions on_robot_ended(int status);
    Actions on_driver_ended(Instant now);
    /// The caller reports the time at due() or earlier, and reads all datagrams that have arrived before.
    Actions on_time(Instant now);
    /// When on_time() has something to do. None: never.
    std::optional<Instant> due() const;

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

    GuardWay way_;
    GuardLimits limits_;
    State state_ = State::off;
    bool motors_on_ = false;  ///< by the last feed
    std::optional<Instant> last_feed_{};
    Instant latest_{};  ///< the latest time that an event brought
    Instant cut_at_{};
    std::optional<Instant> lost_since_{};   ///< the driver does not answer
    std::optional<Instant> hello_by_{};     ///< the driver has not introduced itself yet
    std::optional<Instant> farewell_by_{};  ///< the driver has not ended yet
    std::optional<int> status_{};           ///< of the robot that has ended
    bool driver_runs_ = false;
    bool given_up_ = false;
    std::deque<Instant> restorations_{};
    DriverFacts facts_{};
};

}  // namespace caribou::motion
