#include "adapters/body/guarded_body.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/temporary_folder.hpp"

namespace caribou {
namespace {

using testing::HasSubstr;

constexpr int wait_limit_ms = 60'000;

/// Reads until a newline, the end, or a time-out.
std::string line_from(int descriptor) {
    std::string text;
    pollfd readable{descriptor, POLLIN, 0};
    char letter = 0;
    while (::poll(&readable, 1, wait_limit_ms) > 0 && ::read(descriptor, &letter, 1) == 1 && letter != '\n')
        text += letter;
    return text;
}

std::string text_in(const std::string& path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

class GuardedBodyTest : public testing::Test {
protected:
    std::unique_ptr<GuardedBody> body(GuardedBodyPlan plan) {
        return GuardedBody::open(std::move(plan), log).value();
    }
    static GuardedBodyPlan shell(const std::string& script) { return {.driver = {"/bin/sh", "-c", script}}; }

    MemoryLog log;
    TemporaryFolder scratch;
};

TEST_F(GuardedBodyTest, StartsTheDriverWithItsEndOfTheConnection) {
    const auto guarded = body(shell("echo hello >&$CARIBOU_DRIVER_FD; exec sleep 60"));
    const Descriptor robots = guarded->restore().value();
    EXPECT_EQ(line_from(robots.get()), "hello");
    EXPECT_NE(guarded->driver_alive(), -1);
}

TEST_F(GuardedBodyTest, KillsTheDriverAndWhatItHasStarted) {
    const auto guarded =
        body(shell("trap '' TERM; sleep 600 & echo $! >&$CARIBOU_DRIVER_FD; wait; sleep 60"));
    const Descriptor robots = guarded->restore().value();
    const pid_t grandchild = std::stoi(line_from(robots.get()));
    const Descriptor lives(static_cast<int>(::syscall(SYS_pidfd_open, grandchild, 0)));
    ASSERT_TRUE(lives);
    EXPECT_TRUE(guarded->cut({}));
    EXPECT_EQ(guarded->driver_alive(), -1);
    EXPECT_EQ(line_from(robots.get()), "") << "the connection has ended: no process holds it";
    pollfd ended{lives.get(), POLLIN, 0};
    EXPECT_EQ(::poll(&ended, 1, wait_limit_ms), 1) << "killed";
}

/// This process owns the strays of its drivers, like a guard.
class StrayTest : public GuardedBodyTest {
protected:
    StrayTest() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }
    ~StrayTest() override { ::prctl(PR_SET_CHILD_SUBREAPER, 0); }
};

TEST_F(StrayTest, AreKilledHoweverFastTheyAreStarted) {
    const auto guarded =
        body({.driver = {"/usr/bin/python3", "-c",
                         "import os, time\n"
                         "if not os.fork():\n"
                         "    for i in range(100000):\n"
                         "        if i == 100: os.write(int(os.environ['CARIBOU_DRIVER_FD']), b'\\n')\n"
                         "        if os.fork(): os._exit(0)\n"
                         "        os.setsid()\n"
                         "time.sleep(60)"}});
    guarded->own_strays(-1, {});
    const Descriptor robots = guarded->restore().value();
    line_from(robots.get());
    EXPECT_TRUE(guarded->cut({}));
    EXPECT_FALSE(guarded->has_strays());
    EXPECT_EQ(line_from(robots.get()), "") << "the connection has ended: no process holds it";
}

TEST_F(StrayTest, AreReapedWhenTheyEndByThemselves) {
    const auto guarded =
        body(shell("(sh -c 'echo $$ >&$CARIBOU_DRIVER_FD; exec sleep 60' &); exec sleep 60"));
    guarded->own_strays(-1, {});
    const Descriptor robots = guarded->restore().value();
    const pid_t orphan = std::stoi(line_from(robots.get()));
    const Descriptor lives(static_cast<int>(::syscall(SYS_pidfd_open, orphan, 0)));
    ::kill(orphan, SIGTERM);
    pollfd ended{lives.get(), POLLIN, 0};
    ASSERT_EQ(::poll(&ended, 1, wait_limit_ms), 1);
    // The orphan becomes a child of this process when the shell that started it ends, which may be after it.
    const auto is_reaped = [&] {
        guarded->reap();
        return ::kill(orphan, 0) != 0;
    };
    bool reaped = is_reaped();
    for (int i = 0; i < wait_limit_ms && !reaped; ++i) {
        ::poll(nullptr, 0, 1);
        reaped = is_reaped();
    }
    EXPECT_TRUE(reaped) << "not a zombie";
    EXPECT_NE(guarded->driver_alive(), -1) << "the driver goes on";
}

TEST_F(GuardedBodyTest, WritesTheStopFrameToTheDeviceAfterTheDriverIsKilled) {
    GuardedBodyPlan plan =
        shell("printf drive >&$CARIBOU_DEVICE_FD; echo >&$CARIBOU_DRIVER_FD; exec sleep 60");
    plan.device = scratch.write("device", "");
    const auto guarded = body(plan);
    const Descriptor robots = guarded->restore().value();
    line_from(robots.get());
    // Each has an open file of its own, as on a serial port.
    EXPECT_TRUE(guarded->cut({.stop_frame = Bytes(3, std::byte{'S'})}));
    EXPECT_EQ(text_in(plan.device), "SSSSSS") << "twice, from the beginning of the file";
    EXPECT_TRUE(log.lines.empty());
}

TEST_F(GuardedBodyTest, ReportsAStopFrameThatCannotBeWritten) {
    GuardedBodyPlan plan = shell("exec sleep 60");
    plan.device = "/dev/full";
    const auto guarded = body(plan);
    const Descriptor robots = guarded->restore().value();
    EXPECT_FALSE(guarded->cut({.stop_frame = Bytes(3, std::byte{1})}));
    EXPECT_TRUE(log.mentions("the stop frame was NOT written to /dev/full"));
}

TEST_F(GuardedBodyTest, StartsAFreshDriverAfterACut) {
    const auto guarded = body(shell("echo $$ >&$CARIBOU_DRIVER_FD; exec sleep 60"));
    const Descriptor first = guarded->restore().value();
    const std::string before = line_from(first.get());
    guarded->cut({});
    const Descriptor second = guarded->restore().value();
    EXPECT_NE(line_from(second.get()), before);
}

TEST_F(GuardedBodyTest, RequestsTheDriverToEnd) {
    const auto guarded =
        body(shell("trap 'echo bye >&$CARIBOU_DRIVER_FD; exit' TERM; echo >&$CARIBOU_DRIVER_FD;"
                   "while :; do sleep 0.01; done"));
    const Descriptor robots = guarded->restore().value();
    line_from(robots.get());
    guarded->terminate_driver();
    EXPECT_EQ(line_from(robots.get()), "bye");
    pollfd ended{guarded->driver_alive(), POLLIN, 0};
    ASSERT_EQ(::poll(&ended, 1, wait_limit_ms), 1);
    guarded->end_driver({});
    EXPECT_EQ(guarded->driver_alive(), -1);
}

TEST_F(GuardedBodyTest, StopsTheDeviceOfADriverThatHasEndedByItself) {
    GuardedBodyPlan plan = shell("exit 0");
    plan.device = scratch.write("device", "");
    const auto guarded = body(plan);
    const Descriptor robots = guarded->restore().value();
    guarded->release();
    pollfd ended{guarded->driver_alive(), POLLIN, 0};
    ASSERT_EQ(::poll(&ended, 1, wait_limit_ms), 1);
    guarded->end_driver({.stop_frame = Bytes(3, std::byte{'S'})});
    EXPECT_EQ(text_in(plan.device), "SSSSSS");
}

TEST_F(GuardedBodyTest, NeedsTheFilesThatItIsToWrite) {
    GuardedBodyPlan plan = shell("exec sleep 60");
    plan.watchdog = scratch / "none";
    const auto opened = GuardedBody::open(plan, log);
    ASSERT_FALSE(opened);
    EXPECT_THAT(opened.error().message, HasSubstr("none"));
}

}  // namespace
}  // namespace caribou
