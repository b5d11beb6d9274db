#pragma once

#include "link/answer.hpp"
#include "link/command.hpp"
#include "loop/time.hpp"
#include "sim/tapped_network.hpp"

namespace caribou::sim {

/// Receives the commands on a robot's connections from CommandAudit.
class CommandListener {
public:
    /// A robot has read a command of a peer that it has welcomed.
    virtual void on_command(StreamNumber stream, const link::Command& command) = 0;
    /// It has answered `DONE` to a command that it read at `read`.
    virtual void on_done(StreamNumber stream, const link::Command& command, Instant read) = 0;
    virtual void on_gone(StreamNumber stream) = 0;

protected:
    ~CommandListener() = default;
};

}  // namespace caribou::sim
