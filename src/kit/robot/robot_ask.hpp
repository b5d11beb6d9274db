#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "kit/program/exit.hpp"
#include "kit/program/key_place.hpp"
#include "link/answer.hpp"
#include "link/command.hpp"
#include "loop/address.hpp"

namespace caribou::app {

/// Sends a command to a robot on this machine over a connection without authentication, with the role drive,
/// and returns its final answer. `given` is when it was given, by Clock::boot_seconds(). A command without an
/// id gets a new one. Fails with Code::timed_out if there is no answer within `limit`.
Result<link::Answer> ask_robot(const Address& robot, link::Command command, const std::string& name,
                               Duration limit, double given);

/// The options by which a command line reaches a running robot, and requests to it.
class RobotReach {
public:
    void add_to(CLI::App& parser);

    /// Sends a line for the behaviors or the cubes, by `code`, and returns the text of the final answer.
    /// Fails with Code::invalid_argument if an option is invalid, and with Code::unavailable if the robot
    /// refuses or does not answer.
    Result<std::string> ask(link::CommandCode code, const std::string& line) const;

private:
    Result<link::Answer> send(const Address& robot, link::Command command) const;

    std::string robot_ = "127.0.0.1:9601";
    KeyPlace place_;
    std::string key_;
    bool plain_ = false;
};

/// A subcommand `ask` that sends a line to a running robot and prints the answer.
class RobotAsk {
public:
    /// `code` is the command that takes the line.
    RobotAsk(CLI::App& parser, link::CommandCode code, const std::string& about);

    bool parsed() const { return verb_->parsed(); }
    Exit run() const;

private:
    CLI::App* verb_;
    link::CommandCode code_;
    RobotReach reach_;
    std::vector<std::string> line_;
};

}  // namespace caribou::app
