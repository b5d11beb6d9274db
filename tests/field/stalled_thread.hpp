#pragma once

#include <sys/types.h>

namespace caribou::tests {

/// Holds one thread of a child still, by ptrace, for as long as it lives. The other threads run on, as they
/// do while that thread waits for a slow disk.
class StalledThread {
public:
    /// `thread`: its id; the process's own id is that of its first thread.
    explicit StalledThread(pid_t thread);
    ~StalledThread();
    StalledThread(const StalledThread&) = delete;
    StalledThread& operator=(const StalledThread&) = delete;

private:
    pid_t thread_;
};

}  // namespace caribou::tests
