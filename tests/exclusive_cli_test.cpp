// One robot, one program: what a second one is refused, on separate processes.

#include <csignal>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "child/process_tree.hpp"
#include "child/robot_console.hpp"
#include "child/self_checked.hpp"
#include "child/world_process.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// Returns the process id that a message names: `... (pid 17)`.
pid_t pid_in(const std::string& text) {
    const std::size_t at = text.find("(pid ");
    return at == std::string::npos ? -1 : std::stoi(text.substr(at + 5));
}

/// A robot with a driver and a device that turns on the spot, in a world of another process.
class Exclusive : public testing::Test {
protected:
    std::string configuration(const std::string& name) const {
        const std::string tree = folder().write(
            "turn.json",
            R"({"base": "turn", "behaviors": [{"class": "repeat", "id": "turn", "allowed_charging": true, )"
            R"("children": [{"class": "act", "id": "drive", "allowed_charging": true, )"
            R"("action": {"drive": "SWIV_LEFT_1", "for": "1s"}}]}]})");
        return self_checked(folder().write(
            name + ".toml",
            "name = \"" + name + "\"\nDefaultRunMode = 2\nReceivePort = 0\nlog = \"" + file(name + ".log") +
                "\"\n[body]\nkind = \"driver\"\ndevice = \"" + folder().write("device", "") +
                "\"\ncommand = [\"" + program_path() + "\", \"world\", \"drive\", \"" + world.socket() +
                "\", \"rover\"]\n[link]\nplain = true\nkeys = \"" + file("keys") + "\"\nrecord = \"" +
                file(name + ".link") + "\"\n[ai]\ntree = \"" + tree + "\"\n"));
    }
    void start() {
        robot.emplace(command({"robot", "--config", configuration("rover")}));
        port = port_of(*robot);
        ASSERT_NE(port, 0) << text_of("rover.log");
        ASSERT_TRUE(comes_true([&] { return world.moves(); })) << text_of("rover.log");
    }
    /// Returns how often the world has lost the robot's driver.
    std::size_t lost_drivers() const {
        std::size_t count = 0;
        for (const auto& order : world.trace()) count += order.reason == "closed" ? 1U : 0U;
        return count;
    }
    std::string text_of(const std::string& name) const {
        std::stringstream text;
        text << std::ifstream(file(name)).rdbuf();
        return text.str();
    }
    std::string file(const std::string& name) const { return folder() / name; }
    const TemporaryFolder& folder() const { return world.folder(); }

    WorldProcess world{in_repository("examples/worlds/flat.toml")};
    std::optional<ChildProcess> robot;
    std::uint16_t port = 0;
};

TEST_F(Exclusive, RefusesAnotherProgramForTheSameRobotAndDoesNotDisturbTheFirst) {
    start();
    const std::string config = configuration("rover");
    const std::string latch = text_of("rover.latch");
    for (const Words& words :
         {Words{"robot", "--config", config}, Words{"guard", "--", "robot", "--config", config},
          Words{"robot", "--self-test", "--config", config},
          Words{"robot", "--self-check", "--yes", "--config", config}, Words{"body", "check", config}}) {
        const auto second = run(words);
        EXPECT_EQ(second.code, 1) << words[0];
        EXPECT_THAT(second.err, HasSubstr("robot rover is already running (pid ")) << words[0];
        EXPECT_THAT(command_line_of(pid_in(second.err)), HasSubstr("robot --config " + config));
    }
    EXPECT_EQ(lost_drivers(), 0U) << text_of("rover.log");
    EXPECT_TRUE(world.moves());
    EXPECT_EQ(text_of("rover.latch"), latch);
    EXPECT_THAT(tell(port, "ping text=first"), ElementsAre("DONE: first"));
}

TEST_F(Exclusive, RefusesAnotherRobotOnTheSameDevice) {
    start();
    const auto other = run({"robot", "--config", configuration("other")});
    EXPECT_EQ(other.code, 1);
    EXPECT_THAT(other.err, HasSubstr(file("device") + " is in use by another robot (pid "));
    EXPECT_EQ(lost_drivers(), 0U);
    EXPECT_TRUE(world.moves());
}

TEST_F(Exclusive, LetsTheNextRobotInAfterTheFirstHasEnded) {
    start();
    robot->signal(SIGTERM);
    EXPECT_EQ(end_of(*robot).code, 0);
    start();
}

TEST_F(Exclusive, KeepsABodyCheckFromMovingARobotThatIsStopped) {
    start();
    EXPECT_THAT(tell(port, "full_stop"), ElementsAre(StartsWith("DONE")));
    robot->signal(SIGTERM);
    end_of(*robot);
    const std::size_t orders = world.trace().size();
    const auto refused = run({"body", "check", configuration("rover")});
    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.err, HasSubstr("rover is stopped until released, by operator"));
    EXPECT_EQ(world.trace().size(), orders) << "nothing was started";
}

TEST_F(Exclusive, LeavesADeviceToOthersThatItDoesNotUseAfterRm5) {
    start();
    std::string text = text_of("rover.toml");
    text.replace(text.find(file("device")), file("device").size(), folder().write("other_device", ""));
    folder().write("rover.toml", text);
    tell(port, "setRM(5)");
    ASSERT_NE(port_of(*robot), 0) << text_of("rover.log");
    const auto other = run({"robot", "--self-test", "--config", configuration("other")});
    EXPECT_THAT(other.err, Not(HasSubstr("is in use by another robot")));
}

/// A robot in its own simulated world, without a guard.
TEST(ExclusiveRobot, StaysTheOnlyOneThroughRm5) {
    const TemporaryFolder scratch;
    const std::string config =
        scratch.write("rover.toml",
                      "name = \"rover\"\nDefaultRunMode = 3\nReceivePort = 0\nhandshake_limit = 0.1\n"
                      "[link]\nplain = true\nrecord = \"" +
                          (scratch / "rover.link").string() + "\"\n");
    ChildProcess robot(command({"robot", "--config", config}));
    const std::uint16_t port = port_of(robot);
    const auto refused = run({"robot", "--config", config});
    EXPECT_EQ(refused.code, 1);
    EXPECT_EQ(pid_in(refused.err), robot.id()) << refused.err;
    EXPECT_THAT(tell(port, "setRM(5)"), testing::Contains(StartsWith("ACCEPTED")));
    ASSERT_NE(port_of(robot), 0);
    EXPECT_THAT(run({"robot", "--config", config}).err, HasSubstr("already running"));
    robot.signal(SIGKILL);
    end_of(robot);
    ChildProcess next(command({"robot", "--config", config}));
    EXPECT_NE(port_of(next), 0);
}

}  // namespace
}  // namespace caribou::tests
