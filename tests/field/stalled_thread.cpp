#include "field/stalled_thread.hpp"

#include <sys/ptrace.h>
#include <sys/wait.h>

#include <gtest/gtest.h>

namespace caribou::tests {

StalledThread::StalledThread(pid_t thread) : thread_(thread) {
    EXPECT_EQ(::ptrace(PTRACE_SEIZE, thread_, nullptr, nullptr), 0);
    EXPECT_EQ(::ptrace(PTRACE_INTERRUPT, thread_, nullptr, nullptr), 0);
    int status = 0;
    EXPECT_EQ(::waitpid(thread_, &status, __WALL), thread_);
    EXPECT_TRUE(WIFSTOPPED(status));
}

StalledThread::~StalledThread() { EXPECT_EQ(::ptrace(PTRACE_DETACH, thread_, nullptr, nullptr), 0); }

}  // namespace caribou::tests
