#include "platform/system_processes.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr Duration end_limit = 30s;

struct Program final : ProcessEvents {
    explicit Program(const std::string& script) {
        auto started = processes.start({"sh", "-c", script}, *this);
        EXPECT_TRUE(started);
        if (started) process = std::move(*started);
    }
    void on_line(std::string_view line) override { lines.emplace_back(line); }
    void on_end(const ProcessEnd& how) override {
        end = how;
        process.reset();
    }
    bool run_to_the_end() {
        return loop.run_until([this] { return end.has_value(); }, end_limit);
    }
    bool run_to_line() {
        return loop.run_until([this] { return !lines.empty(); }, end_limit);
    }

    EventLoop loop;
    SystemProcesses processes{loop};
    std::vector<std::string> lines;
    std::optional<ProcessEnd> end;
    std::unique_ptr<Process> process;
};

/// Returns whether a process exits in time or has already exited.
bool ends(const std::string& id) {
    const int watch = static_cast<int>(::syscall(SYS_pidfd_open, std::stoi(id), 0));
    if (watch < 0) return true;
    pollfd end{watch, POLLIN, 0};
    const bool ended = ::poll(&end, 1, 30'000) == 1;
    ::close(watch);
    return ended;
}

TEST(SystemProcesses, TellWhatAProgramPrintsAndHowItEnds) {
    Program program("echo one; echo two >&2; printf rest; exit 3");
    ASSERT_TRUE(program.run_to_the_end());
    EXPECT_THAT(program.lines, ElementsAre("one", "two", "rest"));
    EXPECT_EQ(program.end, (ProcessEnd{.code = 3}));
}

TEST(SystemProcesses, HearAllOfALongOutput) {
    Program program("i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done");
    ASSERT_TRUE(program.run_to_the_end());
    EXPECT_EQ(program.lines.size(), 20000u);
    EXPECT_EQ(program.lines.back(), "line 19999");
}

TEST(SystemProcesses, PassBytesOfStandardOutputAndLinesOfStandardError) {
    struct Camera final : ProcessEvents {
        void on_line(std::string_view line) override { lines.emplace_back(line); }
        bool wants_bytes() const override { return true; }
        void on_bytes(ByteView some) override { append(bytes, some); }
        void on_end(const ProcessEnd&) override { ended = true; }

        std::vector<std::string> lines;
        Bytes bytes;
        bool ended = false;
    };
    EventLoop loop;
    SystemProcesses processes(loop);
    Camera camera;
    const auto process =
        processes.start({"sh", "-c", "echo hot >&2; head -c 300000 /dev/zero; printf 'a\\nb'"}, camera);
    ASSERT_TRUE(process);
    ASSERT_TRUE(loop.run_until([&] { return camera.ended; }, end_limit));
    EXPECT_THAT(camera.lines, ElementsAre("hot"));
    ASSERT_EQ(camera.bytes.size(), 300'003U);
    EXPECT_EQ(text_of(ByteView(camera.bytes).last(3)), "a\nb");
}

TEST(SystemProcesses, TerminateTheWholeGroup) {
    Program program("sleep 1000 & echo $!; wait");
    ASSERT_TRUE(program.run_to_line());
    program.process->terminate();
    ASSERT_TRUE(program.run_to_the_end());
    EXPECT_EQ(program.end, (ProcessEnd{.signal = SIGTERM}));
    EXPECT_TRUE(ends(program.lines[0]));
}

TEST(SystemProcesses, LeaveNothingOfAProgramThatEndsBeforeItsChildren) {
    Program program("sleep 1000 & echo $!");
    ASSERT_TRUE(program.run_to_the_end());
    EXPECT_TRUE(ends(program.lines.at(0)));
}

TEST(SystemProcesses, InheritNothingButStandardInputAndOutput) {
    const int file = ::open("/dev/zero", O_RDONLY);  // as of a library that does not know of exec
    Program program("ls -l /proc/self/fd");
    ASSERT_TRUE(program.run_to_the_end());
    EXPECT_THAT(program.lines, Not(Contains(HasSubstr("/dev/zero"))));
    ::close(file);
}

TEST(SystemProcesses, EndWithTheirOwner) {
    Program program("trap '' TERM; echo $$; while :; do sleep 1000; done");
    ASSERT_TRUE(program.run_to_line());
    program.process.reset();
    EXPECT_TRUE(ends(program.lines[0]));
    EXPECT_FALSE(program.end);
}

TEST(SystemProcesses, SayWhyAProgramCannotBeStarted) {
    Program program("true");
    const auto missing = program.processes.start({"caribou-no-such-program"}, program);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, Code::not_found);
    EXPECT_THAT(missing.error().message, HasSubstr("`caribou-no-such-program`: no such file"));
    EXPECT_FALSE(program.processes.start({"/"}, program));
    EXPECT_TRUE(program.run_to_the_end());
}

}  // namespace
}  // namespace caribou
