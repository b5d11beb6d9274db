#pragma once

#include <sys/types.h>

#include <string>

#include "loop/time.hpp"

namespace caribou::tests {

/// Suspends one thread of a child by ptrace during its lifetime. The other threads continue, as they do while
/// that thread waits for a slow disk.
class StalledThread {
public:
    /// Suspends the thread of this name.
    StalledThread(pid_t process, const std::string& name);
    /// Suspends the initial thread, whose id is that of the process.
    explicit StalledThread(pid_t thread);
    ~StalledThread();
    /// Waits for the end of the thread, before which the parent of the process is not notified of the end of
    /// the process. The test fails if it does not end in time.
    void reap(Duration limit) const;
    StalledThread(const StalledThread&) = delete;
    StalledThread& operator=(const StalledThread&) = delete;

private:
    pid_t thread_;
    bool is_own_child_;  ///< whose exit status ChildProcess reads
    mutable bool ended_ = false;
};

}  // namespace caribou::tests
