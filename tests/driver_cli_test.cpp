// `caribou robot` with a driver process in a world that is a process of its own: guard, robot, driver and
// world.

#include <signal.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
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
using testing::HasSubstr;

class RobotInServedWorld : public testing::Test {
protected:
    /// In RM2, with the behavior that the test chooses; the built-in one explores.
    std::string configuration(const std::string& tree = "") const {
        return self_checked(folder().write(
            "rover.toml", "name = \"rover\"\nDefaultRunMode = 2\nReceivePort = 0\nlog = \"" +
                              file("robot.log") + "\"\n" + "[body]\nkind = \"driver\"\ncommand = [\"" +
                              in_build("caribou") + "\", \"world\", \"drive\", \"" + world.socket() +
                              "\", \"rover\"]\n" + "[link]\nplain = true\nkeys = \"" + file("keys") +
                              "\"\nrecord = \"" + file("rover.link") + "\"\n" +
                              (tree.empty() ? "" : "[ai]\ntree = \"" + tree + "\"\n")));
    }
    /// A behavior that turns on the spot for ever.
    std::string turning() const {
        return folder().write(
            "turn.json",
            // The robot starts on its charger.
            R"({"base": "turn", "behaviors": [{"class": "repeat", "id": "turn", "allowed_charging": true, )"
            R"("children": [{"class": "act", "id": "drive", "allowed_charging": true, )"
            R"("action": {"drive": "SWIV_LEFT_1", "for": "1s"}}]}]})");
    }
    std::string file(std::string_view name) const { return folder() / name; }
    std::string log() const {
        std::stringstream text;
        text << std::ifstream(file("robot.log")).rdbuf();
        return text.str();
    }
    const TemporaryFolder& folder() const { return world.folder(); }
    void start(const std::string& config) {
        robot.emplace(command({"robot", "--config", config}));
        port = port_of(*robot);
        ASSERT_NE(port, 0) << log();
    }
    /// Returns the process id of the driver; -1 if there is none. The path of the socket is this test's own.
    pid_t driver() const {
        for (const auto& each : std::filesystem::directory_iterator("/proc")) {
            const std::string name = each.path().filename();
            if (name.find_first_not_of("0123456789") != std::string::npos) continue;
            const pid_t process = std::stoi(name);
            if (command_line_of(process).find("world drive " + world.socket()) != std::string::npos)
                return process;
        }
        return -1;
    }
    std::string status() const {
        const auto answers = tell(port, "status");
        return answers.empty() ? "" : answers.back();
    }
    /// Returns the meters from its start, by its own estimate.
    double distance() const {
        const std::string text = status();
        const std::size_t at = text.find(", at ");
        if (at == std::string::npos) return 0;
        std::istringstream numbers(text.substr(at + 5));
        double x = 0;
        double y = 0;
        numbers >> x >> y;
        return std::hypot(x, y);
    }
    std::size_t orders_of(std::string_view reason) const {
        const auto all = world.trace();
        return static_cast<std::size_t>(std::ranges::count(all, reason, &WorldProcess::Ordered::reason));
    }

    WorldProcess world{in_repository("examples/worlds/flat.toml")};
    std::optional<ChildProcess> robot;
    std::uint16_t port = 0;
};

TEST_F(RobotInServedWorld, DrivesAndEndsInGoodOrder) {
    start(configuration(turning()));
    EXPECT_TRUE(comes_true([&] { return world.moves(); })) << log();
    robot->signal(SIGTERM);
    EXPECT_EQ(end_of(*robot).code, 0) << log();
    EXPECT_TRUE(comes_true([&] { return !world.moves(); }));
    EXPECT_TRUE(comes_true([&] { return driver() < 0; })) << "no driver is left";
}

TEST_F(RobotInServedWorld, StopsWhenItsDriverIsKilledAndDrivesOnWithARestartedOne) {
    start(configuration(turning()));
    ASSERT_TRUE(comes_true([&] { return world.moves(); })) << log();
    const pid_t killed = driver();
    ASSERT_GT(killed, 0);
    ::kill(killed, SIGKILL);
    ASSERT_TRUE(comes_true([&] { return orders_of("closed") > 0; })) << "the world ordered zero";
    EXPECT_TRUE(comes_true([&] { return world.moves(); })) << log();
    EXPECT_NE(driver(), killed);
    EXPECT_THAT(log(), HasSubstr("is back"));
    EXPECT_THAT(status(), HasSubstr("RM2")) << "not off for good";
}

TEST_F(RobotInServedWorld, StopsWhenItsDriverHangsAndDrivesOnWithARestartedOne) {
    start(configuration(turning()));
    ASSERT_TRUE(comes_true([&] { return world.moves(); })) << log();
    const pid_t hanging = driver();
    ::kill(hanging, SIGSTOP);
    ASSERT_TRUE(comes_true([&] { return orders_of("closed") > 0; })) << "the guard has killed the driver";
    EXPECT_TRUE(comes_true([&] { return world.moves(); })) << log();
    EXPECT_NE(driver(), hanging);
}

TEST_F(RobotInServedWorld, ReportsThatTheGuardHasGivenUpOnItsDriver) {
    start(configuration(turning()));
    ASSERT_TRUE(comes_true([&] {
        if (const pid_t running = driver(); running > 0) ::kill(running, SIGKILL);
        return status().contains("guard gave up");
    })) << status()
        << log();
    EXPECT_THAT(status(), HasSubstr("guard cut, guard gave up"));
    EXPECT_THAT(
        log(),
        HasSubstr("the guard: it has given up, because the body was cut 6 times within 60 s; start the "
                  "robot again"));
}

TEST_F(RobotInServedWorld, StaysWhereItIsThroughARestart) {
    start(configuration());
    ASSERT_TRUE(comes_true([&] { return status().contains("on the charger"); }))
        << "its start is the charger";
    ASSERT_TRUE(comes_true([&] { return distance() > 0.3; })) << status() << log();
    const std::size_t before = world.trace().size();
    tell(port, "setRM(5)");
    port = port_of(*robot);
    ASSERT_NE(port, 0) << "the same guard has the robot again";
    ASSERT_TRUE(comes_true([&] { return status().contains("battery"); }));
    EXPECT_FALSE(status().contains("on the charger")) << "it is where it was, not at its start";
    EXPECT_TRUE(comes_true([&] { return world.moves() && world.trace().size() > before; })) << log();
    EXPECT_EQ(world.program().wait(0ms), std::nullopt) << "the world has lived on";
}

TEST_F(RobotInServedWorld, IsCheckedOnTheDesk) {
    const auto end = run({"body", "check", configuration()});
    EXPECT_EQ(end.code, 0) << end.out << end.err;
    for (const char* const what :
         {"hello", "rate", "order to state", "wheels", "left wheel", "sensors", "stop by closing"})
        EXPECT_THAT(end.out, HasSubstr(std::string("ok         ") + what));
    EXPECT_TRUE(comes_true([&] { return !world.moves(); }));
}

TEST(BodyCheckCli, FailsForAProgramThatIsNoDriver) {
    const TemporaryFolder folder;
    const std::string config =
        folder.write("cat.toml", "[body]\nkind = \"driver\"\ncommand = [\"true\"]\n[link]\nplain = true\n");
    const auto end = run({"body", "check", config});
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.out, HasSubstr("FAILED     driver                 the driver closed the connection"));
}

TEST_F(RobotInServedWorld, ReportsADriverThatCannotBeStarted) {
    const std::string config = folder().write(
        "bad.toml",
        "DefaultRunMode = 2\nDefaultComMode = 0\n[link]\nplain = true\n[body]\nkind = \"driver\"\n"
        "command = [\"/nowhere/base\"]\n");
    const auto checked = run({"robot", "--check-config", "--config", config});
    EXPECT_EQ(checked.code, 1);
    EXPECT_THAT(checked.err, HasSubstr("body.command: `/nowhere/base` is not an executable file"));
    const auto started = run({"robot", "--config", config});
    EXPECT_EQ(started.code, 1);
    EXPECT_THAT(started.err, HasSubstr("the driver of body.command: the driver closed the connection"));
}

}  // namespace
}  // namespace caribou::tests
