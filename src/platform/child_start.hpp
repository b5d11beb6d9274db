#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.hpp"
#include "platform/descriptor.hpp"

// Private to platform.

namespace caribou {

/// A program to start as a child, with the standard streams of this process.
struct ChildPlan {
    std::string program;                   ///< a path, or a name that is searched in PATH
    std::vector<std::string> words;        ///< its command line, the first one included
    std::vector<std::string> environment;  ///< NAME=VALUE, in addition to that of this process
    std::vector<int> inherited;            ///< descriptors that it keeps
    int group_processes = -1;  ///< the open cgroup.procs of the group that it joins; -1: that of this process
    bool dies_with_parent = false;  ///< killed when this thread ends
};

/// A child leads a process group of its own.
struct StartedChild {
    pid_t id = -1;
    Descriptor alive{};  ///< a pidfd: readable once it has ended
};

/// Does not wait: a program that cannot be started prints the reason to standard error and ends with 127.
Result<StartedChild> start_child(const ChildPlan& plan);

}  // namespace caribou
