#pragma once

#include <sys/types.h>

#include <string>

namespace caribou::tests {

/// Suspends one thread of a child by ptrace during its lifetime. The other threads continue, as they do while
/// that thread waits for a slow disk.
class StalledThread {
public:
    /// Suspends the thread of this name.
    StalledThread(pid_t process, const std::string& name);
    ~StalledThread();
    StalledThread(const StalledThread&) = delete;
    StalledThread& operator=(const StalledThread&) = delete;

private:
    pid_t thread_;
};

}  // namespace caribou::tests
