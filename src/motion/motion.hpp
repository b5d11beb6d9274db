#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "base/pose.hpp"
#include "loop/time.hpp"
#include "motion/body.hpp"
#include "motion/movement.hpp"

/// The words in which modes, commands and behaviors speak with propulsion.
namespace caribou::motion {

/// A set of the values of an enum whose last one is `last`.
template <class Enum, Enum last>
class EnumSet {
public:
    EnumSet() = default;
    EnumSet(std::initializer_list<Enum> members) {
        for (const Enum member : members) insert(member);
    }
    void insert(Enum member) { bits_.set(static_cast<std::size_t>(member)); }
    bool contains(Enum member) const { return bits_.test(static_cast<std::size_t>(member)); }
    bool empty() const { return bits_.none(); }
    /// The first of them; `last` if there is none.
    Enum strongest() const {
        std::size_t first = 0;
        while (first + 1 < bits_.size() && !bits_.test(first)) ++first;
        return static_cast<Enum>(first);
    }

    friend bool operator==(const EnumSet&, const EnumSet&) = default;

private:
    std::bitset<static_cast<std::size_t>(last) + 1> bits_;
};

/// Who wants to move, the strongest first.
enum class MotionSource : std::uint8_t { reflex, operator_, autopilot, ai };
std::string_view to_string(MotionSource source);
using MotionSources = EnumSet<MotionSource, MotionSource::ai>;

/// Replaces what the same source ordered before.
struct MotionOrder {
    MotionSource source = MotionSource::ai;
    MovementCommand command{};
    /// It has to be renewed before this has passed (dead-man). None: the configured time.
    std::optional<Duration> time_to_live{};
    /// May touch what it goes to, at creep speed: a dock, a cube. A bump ends it without a way back.
    bool touch = false;
    std::uint64_t id = 0;  ///< comes back in the answer
};

/// Why an order was not taken. A closed set.
enum class MotionRefusal : std::uint8_t {
    not_permitted,       ///< the mode does not let this source move: WRONG_MODE
    motors_off,          ///< the mode keeps the motors off
    stop_latched,        ///< full stop: release it first
    illegal_transition,  ///< with strict_transitions: HALT has to come between
    bad_time_to_live,    ///< zero, negative or longer than allowed
    faulted,             ///< see MotionReport::faults
    busy,                ///< more orders than propulsion takes
};
std::string_view to_string(MotionRefusal refusal);
/// For people: what has to come first.
std::string_view sentence(MotionRefusal refusal);

struct MotionAnswer {
    std::uint64_t id = 0;
    std::optional<MotionRefusal> refusal{};  ///< none: taken

    friend bool operator==(const MotionAnswer&, const MotionAnswer&) = default;
};

/// What the modes allow. Nothing, at first.
struct MotionPermit {
    bool motors = false;
    MotionSources sources{};  ///< the reflex needs no permit besides that of the motors

    friend bool operator==(const MotionPermit&, const MotionPermit&) = default;
};

/// Who or what requested the latched full stop.
enum class StopCause : std::uint8_t {
    operator_,
    station,
    bus,
    emergency_input,
    shutdown,  ///< the program ends; not stored
    overload,
    state_lost,  ///< at a start: whether the robot was stopped is not known
};
constexpr StopCause last_stop_cause = StopCause::state_lost;
std::string_view to_string(StopCause cause);

/// Why the wheels do what they do; a gate where it says less than was ordered. The strongest first.
enum class MotionReason : std::uint8_t {
    motion_unknown,   ///< propulsion does not report: what the wheels do is not known
    fault,            ///< see MotionReport::faults
    body_absent,      ///< gate: the body cannot be driven at present, such as while its driver restarts
    emergency_input,  ///< gate: the emergency stop says so
    stop_latched,     ///< gate: full stop
    motors_off,       ///< gate: the mode keeps them off
    bump,             ///< reflex: a bumper is pressed, and the robot backs off
    cliff,            ///< reflex: there is no floor ahead, and the robot backs off
    held,             ///< gate: after a reflex or stuck, until the source wants something else
    obstacle_stop,    ///< gate: something stands in the stop zone
    obstacle_slow,    ///< gate: something stands in the slow zone
    blind,            ///< gate: nothing looks where it goes
    through_halt,     ///< the order may not follow directly: HALT comes between
    dead_man,         ///< the last order was not renewed
    no_order,         ///< nobody wants to move
    order,            ///< as ordered
};
std::string_view to_string(MotionReason reason);
using MotionReasons = EnumSet<MotionReason, MotionReason::order>;

/// What no mode but RM0 recovers from. Stays for as long as the program runs.
enum class MotionFault : std::uint8_t {
    motor_driver,
    encoder_disagreement,
    missed_deadlines,
    sensor_dead,
    battery_critical,
    motors_not_cut,  ///< the watchdog cut the motors, but the body did not confirm it
};
std::string_view to_string(MotionFault fault);
constexpr MotionFault last_motion_fault = MotionFault::motors_not_cut;
using MotionFaults = EnumSet<MotionFault, last_motion_fault>;

enum class BatteryState : std::uint8_t { unknown, good, warn, dock, critical };
std::string_view to_string(BatteryState state);

/// How sure a pose is: the covariances of x, y (m) and heading (rad).
struct PoseSpread {
    double xx = 0.0;
    double xy = 0.0;
    double xh = 0.0;
    double yy = 0.0;
    double yh = 0.0;
    double hh = 0.0;

    friend bool operator==(const PoseSpread&, const PoseSpread&) = default;
};

struct Odometry {
    Pose pose{};            ///< since the start
    double speed = 0.0;     ///< m/s, ahead
    double yaw_rate = 0.0;  ///< rad/s, to the left
    double distance = 0.0;  ///< m rolled, in whatever direction
    PoseSpread spread{};    ///< of the pose; grows with every metre

    friend bool operator==(const Odometry&, const Odometry&) = default;
};

/// The pose that odometry gives `later` than its last update, if the robot goes on as it did. Beyond 0.1 s
/// it is not extended.
Pose pose_after(const Odometry& odometry, Duration later);

/// Everything there is to know about the motion of one moment.
struct MotionReport {
    Instant at{};
    MovementState state = MovementState::unknown;  ///< by feedback
    MovementClass movement = MovementClass::halt;  ///< as driven
    WheelSpeeds driven{};                          ///< what the motors were told
    std::optional<WheelSpeeds> measured{};         ///< by the encoders
    std::optional<MotionSource> winner{};          ///< whose order is carried out
    MovementCommand command{};                     ///< that order, HALT without one
    MotionReason reason = MotionReason::no_order;  ///< the strongest
    MotionReasons reasons{};                       ///< all of them
    MotionFaults faults{};
    MotionPermit permit{};
    std::optional<StopCause> stop{};  ///< latched
    bool stuck = false;               ///< ordered, but did not move
    BatteryState battery = BatteryState::unknown;
    Odometry odometry{};
    std::uint64_t steps = 0;
    std::uint64_t late_steps = 0;  ///< by more than a period
};

/// The report at `now`: itself while it is younger than `limit`; later what is still true of it, with
/// motion unknown: no speeds, no winner, reason motion_unknown. Faults, stop and the last pose stay.
MotionReport as_of(const MotionReport& report, Instant now, Duration limit);

/// Propulsion, as seen by everybody else: by those on its own loop, or on other threads
/// (platform/propulsion_thread.hpp). No call waits.
class MotionControl {
public:
    virtual ~MotionControl() = default;
    /// Answered exactly once, to MotionEvents.
    virtual void order(const MotionOrder& order) = 0;
    /// Stops, whatever else is under way or waiting, and stays until released. StopLatch stores it.
    virtual void full_stop(StopCause cause) = 0;
    /// Only for a driver or an administrator. Does nothing while the emergency stop says stop.
    virtual void release_stop() = 0;
    /// Takes the place of the one before. Withdrawing a permit stops what moved by it.
    virtual void permit(const MotionPermit& permit) = 0;
    /// The link is gone: what the operator and the autopilot ordered over it is void.
    virtual void link_lost() = 0;
    virtual MotionReport report() const = 0;
};

/// Hears propulsion, on its own loop. No call comes inside one of MotionControl.
class MotionEvents {
public:
    virtual void on_answer(const MotionAnswer& answer) = 0;
    /// After every step.
    virtual void on_report(const MotionReport& report) = 0;

protected:
    ~MotionEvents() = default;
};

}  // namespace caribou::motion
