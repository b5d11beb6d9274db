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
#include "motion/motion_command.hpp"
#include "motion/movement.hpp"
#include "motion/zone_limits.hpp"

/// The types shared by modes, commands, behaviors and propulsion.
namespace caribou::motion {

/// A set of values of an enum whose last one is `last`.
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
    /// Returns the first value; `last` if the set is empty.
    Enum strongest() const {
        std::size_t first = 0;
        while (first + 1 < bits_.size() && !bits_.test(first)) ++first;
        return static_cast<Enum>(first);
    }

    friend bool operator==(const EnumSet&, const EnumSet&) = default;

private:
    std::bitset<static_cast<std::size_t>(last) + 1> bits_;
};

/// The sources of orders, highest priority first.
enum class MotionSource : std::uint8_t { reflex, operator_, autopilot, ai };
std::string_view to_string(MotionSource source);
using MotionSources = EnumSet<MotionSource, MotionSource::ai>;

/// An order; replaces the previous one of the same source.
struct MotionOrder {
    MotionSource source = MotionSource::ai;
    MotionCommand command{};
    /// Time within which it must be renewed (dead man's switch), from when it was given; nullopt: the
    /// configured time.
    std::optional<Duration> time_to_live{};
    /// The robot may touch its goal, a dock or a cube, at creep speed. A bump ends it without backing off.
    bool touch = false;
    std::uint64_t id = 0;  ///< repeated in the answer
    Duration age{};        ///< time since it was given
};

/// Why an order was refused. A closed set.
enum class MotionRefusal : std::uint8_t {
    not_permitted,       ///< the mode does not permit this source to move: WRONG_MODE
    motors_off,          ///< the mode keeps the motors off
    stop_latched,        ///< full stop: must be released first
    illegal_transition,  ///< with strict_transitions: requires HALT in between
    bad_time_to_live,    ///< zero, negative or longer than permitted
    bad_velocity,        ///< not a finite number
    faulted,             ///< see MotionReport::faults
    busy,                ///< too many pending orders
    body_absent,         ///< the body cannot be driven at present
    guard_cut,           ///< the guard has stopped the body
};
std::string_view to_string(MotionRefusal refusal);
/// Returns a message for people: what must be done first.
std::string_view sentence(MotionRefusal refusal);

struct MotionAnswer {
    std::uint64_t id = 0;
    std::optional<MotionRefusal> refusal{};  ///< nullopt: accepted

    friend bool operator==(const MotionAnswer&, const MotionAnswer&) = default;
};

/// The motion permitted by the mode; none initially.
struct MotionPermit {
    bool motors = false;
    MotionSources sources{};  ///< the reflex needs no permit except for the motors

    friend bool operator==(const MotionPermit&, const MotionPermit&) = default;
};

/// The cause of the latched full stop.
enum class StopCause : std::uint8_t {
    operator_,
    station,
    bus,
    emergency_input,
    shutdown,  ///< the program ends; not stored
    overload,
    state_lost,       ///< at a start: it is unknown whether the robot was stopped
    main_silent,      ///< the supervisor of propulsion, the robot's main thread, hangs
    self_check,       ///< a self-check was testing the latch
    thread_silent,    ///< a thread that stores stops, answers them or ends the robot hangs
    receiver_silent,  ///< the thread that receives the commands of the station hangs
    ros,              ///< a node of ROS 2
};
constexpr StopCause last_stop_cause = StopCause::ros;
std::string_view to_string(StopCause cause);

/// Why the wheels do what they do; a gate where that is less than ordered. Highest priority first.
enum class MotionReason : std::uint8_t {
    motion_unknown,   ///< propulsion does not report: the state of the wheels is unknown
    fault,            ///< see MotionReport::faults
    body_absent,      ///< gate: the body cannot be driven at present, such as while its driver restarts
    emergency_input,  ///< gate: emergency stop
    stop_latched,     ///< gate: full stop
    guard_cut,        ///< gate: the guard has stopped the body from outside
    motors_off,       ///< gate: motors off in this mode
    bump,             ///< reflex: bumper pressed, backing off
    cliff,            ///< reflex: no floor ahead, backing off
    held,             ///< gate: after a reflex or stuck, until the source orders another direction
    obstacle_stop,    ///< gate: object in the stop zone
    zone_stop,        ///< gate: would enter a keep-out zone of the map, or go deeper into it
    obstacle_slow,    ///< gate: object in the slow zone
    zone_slow,        ///< gate: in a speed zone of the map, or near a zone
    blind,            ///< gate: no sensor covers this direction
    through_halt,     ///< the order must not follow directly: HALT is inserted
    dead_man,         ///< the last order was not renewed
    no_order,         ///< no source orders motion
    order,            ///< as ordered
};
std::string_view to_string(MotionReason reason);
using MotionReasons = EnumSet<MotionReason, MotionReason::order>;

/// Faults that only a restart from RM0 clears. Permanent while the program runs.
enum class MotionFault : std::uint8_t {
    motor_driver,
    encoder_disagreement,
    missed_deadlines,
    sensor_dead,
    battery_critical,
    motors_not_cut,  ///< the watchdog cut the motors, but the body did not confirm it
    guard_silent,    ///< the guard does not answer, or has ended
};
std::string_view to_string(MotionFault fault);
constexpr MotionFault last_motion_fault = MotionFault::guard_silent;
using MotionFaults = EnumSet<MotionFault, last_motion_fault>;

enum class BatteryState : std::uint8_t { unknown, good, warn, dock, critical };
std::string_view to_string(BatteryState state);

/// Covariances of a pose: x, y (m) and heading (rad).
struct PoseSpread {
    double xx = 0.0;
    double xy = 0.0;
    double xh = 0.0;
    double yy = 0.0;
    double yh = 0.0;
    double hh = 0.0;

    friend bool operator==(const PoseSpread&, const PoseSpread&) = default;
};

/// How far each wheel has rolled, in m; backwards is negative.
struct WheelWay {
    double right = 0.0;
    double left = 0.0;

    friend bool operator==(const WheelWay&, const WheelWay&) = default;
};

struct Odometry {
    Pose pose{};            ///< relative to the start
    double speed = 0.0;     ///< m/s, forward
    double yaw_rate = 0.0;  ///< rad/s, positive to the left
    double distance = 0.0;  ///< m rolled, in any direction
    PoseSpread spread{};    ///< of the pose; grows with distance
    WheelWay rolled{};      ///< since the start

    friend bool operator==(const Odometry&, const Odometry&) = default;
};

/// Returns the pose extrapolated by `later` after the last update, for at most 0.1 s.
Pose pose_after(const Odometry& odometry, Duration later);

/// The state of motion at one time.
struct MotionReport {
    Instant at{};
    MovementState state = MovementState::unknown;  ///< by feedback
    MovementClass movement = MovementClass::halt;  ///< as driven
    WheelSpeeds driven{};  ///< of the wheels, as they are to turn now; with a closed loop, what the body is
                           ///< ordered may be more, less or zero, and never has the other sign
    std::optional<WheelSpeeds> measured{};  ///< by the encoders
    std::optional<MotionSource> winner{};   ///< source whose order is executed
    MotionCommand command{};                ///< that order; HALT if there is none
    int right_level = 0;                    ///< of that order; of a velocity: the nearest level
    int left_level = 0;
    MotionReason reason = MotionReason::no_order;  ///< highest priority
    MotionReasons reasons{};                       ///< all reasons
    MotionFaults faults{};
    MotionPermit permit{};
    std::optional<StopCause> stop{};  ///< latched
    bool stuck = false;               ///< ordered, but did not move
    BatteryState battery = BatteryState::unknown;
    Odometry odometry{};
    std::uint64_t steps = 0;
    std::uint64_t late_steps = 0;      ///< late by more than a period
    Instant watchdog_at{};             ///< last sign of life of the watchdog; `at` if there is none
    std::uint64_t watchdog_looks = 0;  ///< number of its signs of life
};

/// Returns the report at `now`: unchanged while it is younger than `limit`; later only what is still valid,
/// with motion unknown: no speeds, no winner, reason motion_unknown. Faults, stop and the last pose are kept.
MotionReport as_of(const MotionReport& report, Instant now, Duration limit);

/// The interface of propulsion for components on its own loop or on other threads
/// (adapters/body/propulsion_thread.hpp). No call blocks.
class MotionControl {
public:
    virtual ~MotionControl() = default;
    /// Answered exactly once, through MotionEvents.
    virtual void order(const MotionOrder& order) = 0;
    /// Stops the robot, overtaking everything pending, until it is released. StopLatch stores it.
    virtual void full_stop(StopCause cause) = 0;
    /// Releases a full stop; for drivers and administrators. No effect while the emergency stop is active.
    virtual void release_stop() = 0;
    /// Replaces the previous permit. Withdrawing a permit stops the motion of its sources.
    virtual void permit(const MotionPermit& permit) = 0;
    /// Replaces the zones of the map, which limit all sources. They stay until the next call, also if that
    /// never comes; between two calls the robot is where odometry has moved it.
    virtual void set_zones(const PlacedZones& zones) = 0;
    /// Must be called when the link is lost: cancels the orders of operator and autopilot.
    virtual void link_lost() = 0;
    /// Sign of life of the thread that sets the permits. After the first one they must continue: while the
    /// motors are permitted, a longer silence than Propulsion::supervisor_limit is a full stop
    /// (StopCause::main_silent).
    virtual void supervisor_alive() = 0;
    virtual MotionReport report() const = 0;
};

/// Receives the events of propulsion, on its own loop. Never called from within a call of MotionControl.
class MotionEvents {
public:
    virtual void on_answer(const MotionAnswer& answer) = 0;
    /// Called after every step.
    virtual void on_report(const MotionReport& report) = 0;

protected:
    ~MotionEvents() = default;
};

}  // namespace caribou::motion
