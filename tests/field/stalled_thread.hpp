#pragma once

#include <sys/types.h>

#include <string>

namespace caribou::tests {

/// Holds one thread of a child still, by ptrace, for as long as it lives. The other threads run on, as they
/// do while that thread waits for a slow disk.
class StalledThread {
public:
    /// The thread of this name.
    StalledThread(pid_t process, const std::string& name);
    ~StalledThread();
    StalledThread(const StalledThread&) = delete;
    StalledThread& operator=(const StalledThread&) = delete;

private:
    pid_t thread_;
};

}  // namespace caribou::tests
