#include "adapters/body/robot_lock.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/temporary_folder.hpp"

namespace caribou {
namespace {

class RobotLockTest : public testing::Test {
protected:
    RobotLock::Plan plan(const std::string& name, RobotLock::Holder holder = RobotLock::Holder::robot) const {
        return {.name = name,
                .file = scratch / ("state/" + name + ".lock"),
                .devices = {scratch.write("device", ""), "/dev/null", scratch / "missing"},
                .holder = holder};
    }
    TemporaryFolder scratch;
    std::string pid = fmt::format("(pid {})", ::getpid());
};

TEST_F(RobotLockTest, KeepsASecondProgramOutAndNamesTheFirst) {
    {
        const auto first = RobotLock::take(plan("rover"));
        ASSERT_TRUE(first) << first.error().message;
        const auto second = RobotLock::take(plan("rover"));
        ASSERT_FALSE(second);
        EXPECT_EQ(second.error().code, Code::refused);
        EXPECT_EQ(second.error().message, "robot rover is already running " + pid);
    }
    const auto check = RobotLock::take(plan("rover", RobotLock::Holder::self_check));
    EXPECT_TRUE(check) << "the first has ended";
    EXPECT_EQ(RobotLock::take(plan("rover")).error().message,
              "a self-check of robot rover is running " + pid);
}

TEST_F(RobotLockTest, KeepsARobotOfAnotherNameFromTheSameDevice) {
    const auto first = RobotLock::take(plan("rover"));
    const auto other = RobotLock::take(plan("other"));
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().message, (scratch / "device").string() + " is in use by another robot " + pid);
    RobotLock::Plan elsewhere = plan("other");
    elsewhere.devices = {"/dev/null"};
    EXPECT_TRUE(RobotLock::take(elsewhere)) << "any number of programs may use /dev/null";
}

TEST_F(RobotLockTest, RefusesAnObstacleInPlaceOfItsFile) {
    const auto refusal = [&](const std::string& name) {
        const auto lock = RobotLock::take(plan(name));
        return lock ? "" : lock.error().code == Code::refused ? lock.error().message : "a warning";
    };
    std::filesystem::create_directories(scratch / "state/folder.lock");
    EXPECT_EQ(refusal("folder"), "the lock of the robot cannot be opened: " +
                                     (scratch / "state/folder.lock").string() + ": is a directory");
    std::filesystem::create_symlink(scratch / "nowhere/x", scratch / "state/dangling.lock");
    EXPECT_THAT(refusal("dangling"), testing::StartsWith("the lock of the robot cannot be opened"));
    std::filesystem::create_symlink(scratch / "state/loop.lock", scratch / "state/loop.lock");
    EXPECT_THAT(refusal("loop"), testing::StartsWith("the lock of the robot cannot be opened"));
}

TEST_F(RobotLockTest, NamesTheGuardOfARobotThatHasEnded) {
    RobotLock::Plan guarded = plan("rover");
    guarded.guard = ::getpid();
    const auto first = RobotLock::take(guarded);
    const pid_t ended = ::fork();
    if (ended == 0) ::_exit(0);
    siginfo_t info{};
    ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(ended), &info, WEXITED | WNOWAIT), 0);
    scratch.write("state/rover.lock", fmt::format("{} robot {}\n", ended, ::getpid()));
    EXPECT_EQ(RobotLock::take(plan("rover")).error().message,
              "robot rover has ended, but its guard hangs " + pid + "; kill -9 ends it");
    ::waitpid(ended, nullptr, 0);
}

TEST_F(RobotLockTest, ListsWhatAChildHasToInherit) {
    const auto first = RobotLock::take(plan("rover"));
    ASSERT_TRUE(first);
    EXPECT_EQ(first->setting().substr(0, 14), "CARIBOU_LOCKS=");
    EXPECT_EQ(first->descriptors().size(), 2U) << "its file and the device";
}

TEST(DevicesOfACommand, AreFoundInOptionsAndScripts) {
    EXPECT_EQ(devices_named_in({"base", "/dev/null", "--port=/dev/zero", "/tmp", "dev"}),
              (std::vector<std::string>{"/dev/null", "/dev/zero"}));
    EXPECT_EQ(devices_named_in({"sh", "-c", "exec base '/dev/full'"}),
              (std::vector<std::string>{"/dev/full"}));
}

}  // namespace
}  // namespace caribou
