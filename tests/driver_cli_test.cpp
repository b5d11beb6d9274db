// `caribou robot` with a driver process in a world that is a process of its own: guard, robot, driver and
// world.

#include <signal.h>
#include <sys/resource.h>

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
    std::string configuration(const std::string& tree = "", const std::string& body = "") const {
        return self_checked(folder().write(
            "rover.toml", "name = \"rover\"\nDefaultRunMode = 2\nReceivePort = 0\nlog = \"" +
                              file("robot.log") + "\"\n" + "[body]\nkind = \"driver\"\ncommand = [\"" +
                              program_path() + "\", \"world\", \"drive\", \"" + world.socket() +
                              "\", \"rover\"]\n" + body + "[link]\nplain = true\nkeys = \"" + file("keys") +
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
    /// Sends a signal to the driver that runs, and returns its process id.
    pid_t signal_driver(int number) const {
        pid_t process = -1;
        EXPECT_TRUE(comes_true([&] { return (process = driver()) > 0; })) << log();
        if (process > 0) ::kill(process, number);
        return process;
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
    /// Whether the latest of the first `orders` of the world, or one after it, was zero.
    bool has_stood_since(std::size_t orders) const {
        const auto all = world.trace();
        return std::ranges::any_of(all.begin() + static_cast<std::ptrdiff_t>(orders) - 1, all.end(),
                                   [](const auto& order) { return !order.moves(); });
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

TEST_F(RobotInServedWorld, LocksItsMemoryIfItMay) {
    rlimit limit{};
    ::getrlimit(RLIMIT_MEMLOCK, &limit);
    const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
    const bool may_lock = ::setrlimit(RLIMIT_MEMLOCK, &none) == 0;
    ::setrlimit(RLIMIT_MEMLOCK, &limit);
    start(configuration(turning()));
    ASSERT_TRUE(comes_true([&] { return world.moves(); })) << log();
    const auto is_locked = [](pid_t process) {
        std::ifstream status("/proc/" + std::to_string(process) + "/status");
        for (std::string line; std::getline(status, line);)
            if (line.starts_with("VmLck:")) return !line.ends_with("\t       0 kB");
        return false;
    };
    // The children of the guard, which is the child of the program that was started, are robot and driver.
    const auto all = children_of(children_of(robot->id()).at(0));
    const auto itself =
        std::ranges::find_if(all, [](pid_t child) { return command_line_of(child).contains("--config"); });
    ASSERT_NE(itself, all.end());
    EXPECT_EQ(is_locked(*itself), may_lock) << log();
    EXPECT_EQ(log().contains("the robot's memory is not locked"), !may_lock) << log();
}

TEST_F(RobotInServedWorld, StopsWhenItsDriverIsKilledAndDrivesOnWithARestartedOne) {
    start(configuration(turning()));
    ASSERT_TRUE(comes_true([&] { return world.moves(); })) << log();
    const std::size_t orders = world.trace().size();
    const pid_t killed = signal_driver(SIGKILL);
    ASSERT_TRUE(comes_true([&] { return driver() != killed && has_stood_since(orders); })) << log();
    EXPECT_TRUE(comes_true([&] { return world.moves(); })) << log();
    EXPECT_THAT(log(), HasSubstr("is back"));
    EXPECT_THAT(status(), HasSubstr("RM2")) << "not off for good";
}

TEST_F(RobotInServedWorld, StopsWhenItsDriverHangsAndDrivesOnWithARestartedOne) {
    start(configuration(turning()));
    ASSERT_TRUE(comes_true([&] { return world.moves(); })) << log();
    const std::size_t orders = world.trace().size();
    const pid_t hanging = signal_driver(SIGSTOP);
    ASSERT_TRUE(comes_true([&] { return driver() != hanging && has_stood_since(orders); }))
        << "the guard has killed the driver\n"
        << log();
    EXPECT_TRUE(comes_true([&] { return world.moves(); })) << log();
}

TEST_F(RobotInServedWorld, IsRefusedAtOnceWithoutItsDevice) {
    const auto end =
        caribou::tests::run({"robot", "--config", configuration("", "device = \"" + file("port") + "\"\n")});
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.err, HasSubstr("caribou robot: the driver cannot be started: body.device: " +
                                   file("port") + ": no such file or directory"));
    EXPECT_THAT(log(), HasSubstr("guard: the body is not restored: body.device: " + file("port")));
}

TEST_F(RobotInServedWorld, DrivesOnWhenItsDeviceIsPluggedInAgain) {
    folder().write("port", "");
    start(configuration(turning(), "device = \"" + file("port") + "\"\n"));
    ASSERT_TRUE(comes_true([&] { return world.moves(); })) << log();
    std::filesystem::remove(file("port"));
    signal_driver(SIGKILL);
    ASSERT_TRUE(comes_true([&] { return log().contains("guard: the body is not restored"); })) << log();
    EXPECT_THAT(status(), HasSubstr("guard cut"));
    folder().write("port", "");
    EXPECT_TRUE(comes_true([&] { return world.moves(); })) << log();
    EXPECT_THAT(status(), HasSubstr("RM2"));
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

TEST_F(RobotInServedWorld, IsNotRebootedIntoABodyWithoutAGuard) {
    start(configuration());
    folder().write("rover.toml",
                   "name = \"rover\"\nDefaultRunMode = 2\nReceivePort = 0\n[body]\nkind = \"sim\"\n" +
                       std::string("[link]\nplain = true\nrecord = \"") + file("rover.link") + "\"\n");
    const auto answers = tell(port, "setRM(5)");
    ASSERT_EQ(answers.size(), 1U);
    EXPECT_THAT(answers.front(), HasSubstr("FAILED: the robot would not start again"));
    EXPECT_THAT(answers.front(), HasSubstr("rover.toml:5:8: the body of this configuration has no guard"));
    EXPECT_THAT(status(), HasSubstr("RM2")) << "it goes on";
}

TEST_F(RobotInServedWorld, IsCheckedOnTheDesk) {
    const auto end = run({"body", "check", configuration()});
    EXPECT_EQ(end.code, 0) << end.out << end.err;
    for (const char* const what : {"hello", "rate", "order to state", "contract", "wheels", "left wheel",
                                   "sensors", "stop by closing", "stop by killing"})
        EXPECT_THAT(end.out, HasSubstr(std::string("ok         ") + what));
    EXPECT_TRUE(comes_true([&] { return !world.moves(); }));
}

TEST(BodyCheckCli, LeavesNoProcessOfTheDriverBehind) {
    const TemporaryFolder folder;
    const std::string script = folder.write(
        "driver.sh", "setsid sh -c 'echo $$ > " + (folder / "left").string() + "; sleep 600' &\n" +
                         "while [ ! -s " + (folder / "left").string() + " ]; do :; done\n");
    const std::string config = folder.write("left.toml", "[body]\nkind = \"driver\"\ncommand = [\"sh\", \"" +
                                                             script + "\"]\n[link]\nplain = true\n");
    EXPECT_EQ(run({"body", "check", config}).code, 1);
    pid_t left = -1;
    std::ifstream(folder / "left") >> left;
    ASSERT_GT(left, 1);
    EXPECT_TRUE(comes_true([&] { return has_ended(left); }));
}

TEST(BodyCheckCli, FailsForAProgramThatIsNoDriver) {
    const TemporaryFolder folder;
    const std::string config =
        folder.write("cat.toml", "[body]\nkind = \"driver\"\ncommand = [\"true\"]\n[link]\nplain = true\n");
    const auto end = run({"body", "check", config});
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.out, HasSubstr("FAILED     driver                 the driver closed the connection"));
    const auto calibrated = run({"body", "check", "--calibrate", config});
    EXPECT_EQ(calibrated.code, 1);
    EXPECT_THAT(calibrated.err, HasSubstr("caribou body check: error: the driver closed the connection"));
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
