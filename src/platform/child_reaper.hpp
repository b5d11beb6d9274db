#pragma once

#include <sys/types.h>

#include <memory>

// Private to platform.

namespace caribou {

/// Reaps ended children on a thread of its own, without real-time priority. The kernel waits for whatever
/// reads a process in /proc when it is reaped, which may take a second.
class ChildReaper {
public:
    ChildReaper();
    /// Waits at most one second until everything that was handed over is reaped. A thread that hangs is
    /// abandoned, and the children are left to the parent of this process.
    ~ChildReaper();
    ChildReaper(const ChildReaper&) = delete;
    ChildReaper& operator=(const ChildReaper&) = delete;

    /// Takes over a child that has ended. Must not be called for one that somebody else reaps. A child that
    /// was handed over before and is not reaped yet is ignored.
    void reap(pid_t child);

private:
    struct State;
    std::shared_ptr<State> state_;  ///< shared with the thread
};

}  // namespace caribou
