#pragma once

#include <string>

#include "base/limits.hpp"
#include "platform/named_thread.hpp"
#include "platform/socket_network.hpp"
#include "platform/thread_strand.hpp"

namespace caribou::app {

/// A thread of the robot: its loop, strand and network, with a small send buffer so that views do not delay
/// answers.
struct RobotThread {
    RobotThread(const std::string& name, Log& log, std::size_t streams_below_listeners = 0)
        : thread({.name = name}, log),
          strand(thread.loop()),
          network(thread.loop(), log,
                  {.max_unsent = 64_KiB, .streams_below_listeners = streams_below_listeners}) {}

    NamedThread thread;
    ThreadStrand strand;
    SocketNetwork network;
};

}  // namespace caribou::app
