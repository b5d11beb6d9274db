#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "link/answer.hpp"
#include "link/command.hpp"
#include "link/role.hpp"
#include "loop/time.hpp"
#include "motion/motion.hpp"

namespace caribou::robot {

/// The sender of a command, with the same identity on all connections: link, bus, command line.
struct Peer {
    std::string name{};
    link::Role role = link::Role::observe;
    std::uint64_t session = 0;                 ///< number of the connection
    bool needs_lease = true;                   ///< false for programs on the robot itself
    std::string from{};                        ///< its address, for the log; may be empty
    std::string key{};                         ///< identifies what was proven; empty: nothing
    std::optional<std::uint64_t> drives_by{};  ///< another session of the same sender, whose lease is its own

    friend bool operator==(const Peer&, const Peer&) = default;
};

/// Receives the answers; called on the thread of main or, for a full stop, of StopDesk.
using Reply = std::function<void(const link::Answer&)>;

/// A command to the robot.
struct Request {
    /// How it arrived.
    enum class Lane : std::uint8_t {
        connection,
        datagram,           ///< a full stop, possibly after the connection of its session was lost
        repeated_datagram,  ///< same, but the stop was passed to main before: it is only answered
    };
    Peer peer{};
    link::Command command{};
    Reply reply{};
    /// When a person or a program gave it, by the robot's Clock::boot_seconds(); nullopt: unknown.
    std::optional<double> given{};
    Lane lane = Lane::connection;
    motion::StopCause stop_cause = motion::StopCause::operator_;  ///< of a full stop
    std::uint64_t stops = 0;  ///< full stops requested before it; set by RobotBuffers::submit()
};

}  // namespace caribou::robot
