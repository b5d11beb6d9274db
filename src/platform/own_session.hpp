#pragma once

#include <sys/types.h>

#include <optional>

#include "base/result.hpp"

namespace caribou {

/// A process id in memory that this process shares with those that it forks; -1 until it is set.
class SharedProcessId {
public:
    SharedProcessId();
    ~SharedProcessId();
    SharedProcessId(const SharedProcessId&) = delete;
    SharedProcessId& operator=(const SharedProcessId&) = delete;

    void set(pid_t id) const;
    pid_t get() const;

private:
    void* page_;  ///< null if there is no memory: then it is never set
};

/// Continues in a session of its own, which no key of a terminal and no signal to the caller's process group
/// reaches. Unless this process leads a session without a terminal already, a child continues, while this
/// process waits for it, forwards SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGPWR, and ignores SIGTSTP. It kills
/// a child that is still suspended 3 s after such a signal. Returns nullopt in the
/// process that continues, and the exit status of that one in the process that waited. A child whose parent
/// is killed receives SIGTERM. If the child is killed by a signal, the process that waits kills everything
/// that the child has started, except for `spared`, which the child sets. Called before the process has
/// threads.
Result<std::optional<int>> continue_in_own_session(const SharedProcessId& spared);

/// The exit status of a shell for a status of waitpid: 128 and the number of the signal that ended it.
int exit_status_of(int wait_status);

}  // namespace caribou
