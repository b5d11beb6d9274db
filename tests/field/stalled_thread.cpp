#include "field/stalled_thread.hpp"

#include <poll.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "platform/system_clock.hpp"

namespace caribou::tests {

namespace {

pid_t thread_of(pid_t process, const std::string& name) {
    for (const auto& task :
         std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task")) {
        std::string comm;
        std::getline(std::ifstream(task.path() / "comm"), comm);
        if (comm == name) return std::stoi(task.path().filename());
    }
    ADD_FAILURE() << "there is no thread " << name;
    return -1;
}

/// Returns whether this is the initial thread of a child of the test.
bool is_child_of_test(pid_t thread) {
    std::ifstream status("/proc/" + std::to_string(thread) + "/status");
    pid_t process = -1;
    pid_t parent = -1;
    for (std::string word; status >> word;) {
        if (word == "Tgid:") status >> process;
        if (word == "PPid:") status >> parent;
    }
    return process == thread && parent == ::getpid();
}

}  // namespace

StalledThread::StalledThread(pid_t process, const std::string& name)
    : StalledThread(thread_of(process, name)) {}

StalledThread::StalledThread(pid_t thread) : thread_(thread), is_own_child_(is_child_of_test(thread)) {
    EXPECT_EQ(::ptrace(PTRACE_SEIZE, thread_, nullptr, nullptr), 0);
    EXPECT_EQ(::ptrace(PTRACE_INTERRUPT, thread_, nullptr, nullptr), 0);
    int status = 0;
    EXPECT_EQ(::waitpid(thread_, &status, __WALL), thread_);
    EXPECT_TRUE(WIFSTOPPED(status));
}

StalledThread::~StalledThread() {
    if (ended_) return;
    EXPECT_EQ(::ptrace(PTRACE_DETACH, thread_, nullptr, nullptr), 0);
}

void StalledThread::reap(Duration limit) const {
    const SystemClock clock;
    for (const Instant end = clock.now() + limit; !ended_ && clock.now() < end;) {
        siginfo_t seen{};
        ended_ =
            ::waitid(P_PID, static_cast<id_t>(thread_), &seen, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0 &&
            seen.si_pid == thread_;
        // No descriptor becomes readable at the end of a thread.
        if (!ended_) ::poll(nullptr, 0, 10);
    }
    EXPECT_TRUE(ended_) << "the process does not end";
    if (ended_ && !is_own_child_) ::waitpid(thread_, nullptr, __WALL | WNOHANG);
}

}  // namespace caribou::tests
