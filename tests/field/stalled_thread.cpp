#include "field/stalled_thread.hpp"

#include <sys/ptrace.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

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

}  // namespace

StalledThread::StalledThread(pid_t process, const std::string& name) : thread_(thread_of(process, name)) {
    EXPECT_EQ(::ptrace(PTRACE_SEIZE, thread_, nullptr, nullptr), 0);
    EXPECT_EQ(::ptrace(PTRACE_INTERRUPT, thread_, nullptr, nullptr), 0);
    int status = 0;
    EXPECT_EQ(::waitpid(thread_, &status, __WALL), thread_);
    EXPECT_TRUE(WIFSTOPPED(status));
}

StalledThread::~StalledThread() { EXPECT_EQ(::ptrace(PTRACE_DETACH, thread_, nullptr, nullptr), 0); }

}  // namespace caribou::tests
