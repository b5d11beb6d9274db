#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "loop/time.hpp"

/// The datagrams between a robot and its guard (docs/formats/guard.md). They travel over a socket pair that
/// the guard makes, so every datagram arrives whole, once and in order.
namespace caribou::motion {

/// The robot's process has started and has no connection to a driver yet. Precedes every other datagram of
/// that process.
struct GuardStart {
    std::string body{};  ///< digest of the configuration of the body that the robot was started with

    friend bool operator==(const GuardStart&, const GuardStart&) = default;
};

/// One step of propulsion has completed its calls of the body.
struct GuardFeed {
    Instant at{};              ///< of the step
    bool motors_on = false;    ///< the motors are enabled, or about to be
    bool moving = false;       ///< a wheel is ordered to turn
    bool driver_lost = false;  ///< the driver does not answer

    friend bool operator==(const GuardFeed&, const GuardFeed&) = default;
};

/// What the driver declared when it connected.
struct DriverFacts {
    /// The device stops by itself when it has received no order for this long. None: it does not.
    std::optional<Duration> stops_without_feed{};
    Bytes stop_frame{};  ///< that stops the device; may be empty

    friend bool operator==(const DriverFacts&, const DriverFacts&) = default;
};

/// The robot has ordered rest and ends, or is about to be replaced by a fresh image.
struct GuardBye {
    bool at_rest = true;  ///< the body has confirmed it; otherwise the guard cuts the body

    friend bool operator==(const GuardBye&, const GuardBye&) = default;
};

using RobotToGuard = std::variant<GuardStart, GuardFeed, DriverFacts, GuardBye>;

/// Answers each feed.
struct GuardAlive {
    friend bool operator==(const GuardAlive&, const GuardAlive&) = default;
};

/// The body can be moved. If it is a driver's process, the datagram carries the descriptor of the connection
/// to it.
struct GuardRestored {
    friend bool operator==(const GuardRestored&, const GuardRestored&) = default;
};

/// Precedes GuardRestored if the body is a driver's process: carries a pidfd of it, so that the robot can
/// kill a driver that does not answer while the guard does not either.
struct GuardDriver {
    friend bool operator==(const GuardDriver&, const GuardDriver&) = default;
};

/// The guard has stopped the body.
struct GuardCut {
    std::string reason;
    Duration since_feed{};  ///< from the last feed until the body was stopped
    bool confirmed =
        false;  ///< the driver has ended and the stop frame is written, or the line reads back low

    friend bool operator==(const GuardCut&, const GuardCut&) = default;
};

/// The body cannot be moved, although the robot has started or a cut is over. The guard tries again once per
/// second while the robot feeds it.
struct GuardNotRestored {
    std::string reason;

    friend bool operator==(const GuardNotRestored&, const GuardNotRestored&) = default;
};

/// The body stays stopped until the robot is started again.
struct GuardGaveUp {
    std::string reason;

    friend bool operator==(const GuardGaveUp&, const GuardGaveUp&) = default;
};

using GuardToRobot =
    std::variant<GuardAlive, GuardRestored, GuardCut, GuardGaveUp, GuardNotRestored, GuardDriver>;

struct GuardMessageLimits {
    static constexpr std::size_t stop_frame = 256;  ///< bytes
    static constexpr std::size_t digest = 64;       ///< bytes
    static constexpr std::size_t reason = 256;      ///< bytes; a longer one is cut off
    static constexpr std::size_t datagram = 512;    ///< bytes; larger than every datagram
};

/// Does not allocate for a feed beyond the capacity of `into`, which is cleared first. A stop frame over the
/// limit is refused by the reader of the other side.
void encode(const RobotToGuard& message, Bytes& into);
void encode(const GuardToRobot& message, Bytes& into);

/// Code::malformed: not such a datagram.
Result<RobotToGuard> robot_to_guard_from(ByteView datagram);
Result<GuardToRobot> guard_to_robot_from(ByteView datagram);

}  // namespace caribou::motion
