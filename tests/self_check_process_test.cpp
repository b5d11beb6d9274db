// `caribou robot --self-check`: guard, robot, driver and world as separate processes.

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "child/process_tree.hpp"
#include "child/robot_console.hpp"
#include "child/self_checked.hpp"
#include "child/terminal_process.hpp"
#include "child/world_process.hpp"
#include "motion/latch_record.hpp"
#include "pins/robot_on_pins.hpp"
#include "platform/system_clock.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::SizeIs;

std::string stored_text(const std::string& path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

/// A robot in a world of another process that was never checked.
class SelfCheckCli : public testing::Test {
protected:
    std::string file(std::string_view name) const { return world.folder() / name; }
    std::string configuration(const std::string& command, const std::string& body = "") const {
        return world.folder().write(
            "rover.toml", "name = \"rover\"\nDefaultRunMode = 2\nReceivePort = 0\nlog = \"" +
                              file("robot.log") + "\"\n[body]\nkind = \"driver\"\ncommand = [" + command +
                              "]\n" + body + "[safety]\nstall_after = 1\n[link]\nplain = true\nkeys = \"" +
                              file("keys") + "\"\nrecord = \"" + file("rover.link") + "\"\n");
    }
    std::string in_world(const std::string& body = "") const {
        return configuration(
            "\"" + program_path() + "\", \"world\", \"drive\", \"" + world.socket() + "\", \"rover\"", body);
    }
    /// The same, with a driver that writes `name` to the file `drivers` when it starts.
    std::string in_world_as(const std::string& name) const {
        return configuration("\"/bin/sh\", \"-c\", \"echo " + name + " >> " + file("drivers") + "; exec " +
                             program_path() + " world drive " + world.socket() + " rover\"");
    }
    /// A driver in Python, with these lines in its class in place of those of the example.
    std::string on_python(const std::string& lines, const std::string& body = "") const {
        // The package itself needs its built part, which drivers do not use.
        const std::string program =
            world.folder().write("driver.py",
                                 "import importlib.util, os, sys, types\n"
                                 "def load(name, path):\n"
                                 "    spec = importlib.util.spec_from_file_location(name, path)\n"
                                 "    sys.modules[name] = importlib.util.module_from_spec(spec)\n"
                                 "    spec.loader.exec_module(sys.modules[name])\n"
                                 "    return sys.modules[name]\n"
                                 "sys.modules['caribou'] = types.ModuleType('caribou')\n"
                                 "load('caribou.driver', '" +
                                     in_repository("python/caribou/driver.py") +
                                     "')\n"
                                     "base = load('my_base', '" +
                                     in_repository("examples/drivers/my_base.py") +
                                     "')\n"
                                     "class Mine(base.MyBase):\n" +
                                     lines + "Mine().run()\n");
        return configuration("\"/usr/bin/python3\", \"-B\", \"" + program + "\"", body);
    }
    ChildProcess::End check(const std::string& config) const {
        return run({"robot", "--self-check", "--yes", "--config", config});
    }
    void start(const std::string& config) {
        robot.emplace(command({"robot", "--config", config}));
        port = port_of(*robot);
        ASSERT_NE(port, 0) << log();
    }
    void end() {
        robot->signal(SIGTERM);
        EXPECT_EQ(end_of(*robot).code, 0) << log();
    }
    std::string log() const { return stored_text(file("robot.log")); }
    std::string status() const { return answer("status"); }
    std::string answer(std::string_view text) const {
        const auto answers = tell(port, text);
        return answers.empty() ? "" : answers.back();
    }
    bool is_stopped() const {
        const auto record = motion::latch_record_from(stored_text(file("rover.latch")));
        EXPECT_TRUE(record) << stored_text(file("rover.latch"));
        return record && record->stop.has_value();
    }
    void store_stop() const {
        world.folder().write("rover.latch", motion::file_text_of({motion::StopCause::station}));
    }
    bool has_moved() const {
        const auto all = world.trace();
        return std::ranges::any_of(all, &WorldProcess::Ordered::moves);
    }
    /// Starts a self-check and returns it once it has printed so many items; none: once the wheels turn.
    std::unique_ptr<ChildProcess> check_until(int items) {
        const std::size_t before = world.trace().size();
        auto program = std::make_unique<ChildProcess>(
            command({"robot", "--self-check", "--yes", "--config", in_world()}));
        for (int i = 0; i < items; ++i) EXPECT_TRUE(program->read_line(limit)) << log();
        EXPECT_TRUE(comes_true([&] { return world.trace().size() > before; })) << log();
        return program;
    }

    WorldProcess world{in_repository("examples/worlds/flat.toml")};
    std::optional<ChildProcess> robot;
    std::uint16_t port = 0;
};

TEST_F(SelfCheckCli, IsRequiredForRm2AndRm3AndPassesInAServedWorld) {
    const std::string config = in_world();
    start(config);
    EXPECT_THAT(status(), AllOf(HasSubstr("RM1(RequestedSleep)"), HasSubstr("faults not self-checked"),
                                HasSubstr("rover.check; end the robot, put it on a stand, and run "
                                          "`caribou robot --self-check --config " +
                                          config + "`")));
    EXPECT_THAT(log(), HasSubstr("`caribou robot --self-check --config " + config + "`"));
    for (const char* const mode : {"setRM(2)", "setRM(3)"})
        EXPECT_THAT(answer(mode),
                    AllOf(HasSubstr("UNSAFE"), HasSubstr("not self-checked: no result is stored")));
    end();
    EXPECT_FALSE(has_moved());

    const auto checked = check(config);
    EXPECT_EQ(checked.code, 0) << checked.out << checked.err << log();
    EXPECT_THAT(checked.out, ContainsRegex("passed +stop +zero ordered after [0-9]+ ms; limit 100 ms"));
    EXPECT_THAT(checked.out, ContainsRegex("passed +wheels +at rest by the encoders"));
    EXPECT_THAT(checked.out, ContainsRegex("passed +latch +stored and read back .*; released again"));
    EXPECT_THAT(checked.out,
                ContainsRegex("passed +dead man's switch +an order that was not renewed ended after"));
    EXPECT_THAT(
        checked.out,
        ContainsRegex("passed +guard +the body stopped 2[0-9]+ ms after the last feed; limit 220 ms"));
    EXPECT_TRUE(has_moved());
    EXPECT_TRUE(comes_true([&] { return !world.moves(); }));
    EXPECT_FALSE(is_stopped()) << "as before";

    for (int i = 0; i < 2; ++i) {
        start(config);
        EXPECT_THAT(status(), AllOf(HasSubstr("RM2"), HasSubstr("faults none"))) << "start " << i;
        end();
    }
}

TEST_F(SelfCheckCli, DoesNotCountForAnotherBodyOrIfItsFileIsDamaged) {
    ASSERT_EQ(check(in_world()).code, 0) << log();
    start(in_world("heartbeat = \"/dev/null\"\n"));
    EXPECT_THAT(status(),
                AllOf(HasSubstr("RM1"), HasSubstr("the configuration of the body has changed since")));
    end();
    start(in_world());
    EXPECT_THAT(status(), HasSubstr("RM2"));
    end();
    std::filesystem::resize_file(file("rover.check"), 100);
    start(in_world());
    EXPECT_THAT(status(), AllOf(HasSubstr("RM1"), HasSubstr("the stored result cannot be used: ")));
    EXPECT_THAT(log(), HasSubstr("not self-checked: the stored result cannot be used: "));
    end();
}

TEST_F(SelfCheckCli, CountsForTheDriverThatTheGuardStartsAfterRm5) {
    self_checked(in_world_as("second"));
    start(in_world_as("first"));
    EXPECT_THAT(status(), HasSubstr("the configuration of the body has changed since"));
    const auto restart_with = [&](const char* name) {
        in_world_as(name);
        answer("setRM(5)");
        port = port_of(*robot);
        ASSERT_NE(port, 0) << log();
    };
    restart_with("second");
    EXPECT_THAT(status(), HasSubstr("RM2"));
    // A thread may be late on a busy machine.
    EXPECT_TRUE(comes_true([&] { return status().contains("faults none"); })) << status();
    EXPECT_EQ(stored_text(file("drivers")), "first\nsecond\n") << "the driver that was checked";
    restart_with("third");
    EXPECT_THAT(status(),
                AllOf(HasSubstr("RM1"), HasSubstr("the configuration of the body has changed since")));
    EXPECT_EQ(stored_text(file("drivers")), "first\nsecond\nthird\n");
    end();
}

TEST_F(SelfCheckCli, IsNotEvadedByAnotherKindOfBodyAfterRm5) {
    start(self_checked(in_world()));
    std::string text = stored_text(file("rover.toml"));
    text.replace(text.find("kind = \"driver\""), 15, "kind = \"null\"");
    text.erase(text.find("command = "), text.find("]\n") + 2 - text.find("command = "));
    world.folder().write("rover.toml", text);
    EXPECT_THAT(answer("setRM(5)"), HasSubstr("has no guard, but the program was started with one"));
    EXPECT_THAT(status(), HasSubstr("RM2"));
    end();
}

TEST_F(SelfCheckCli, FailsOnADriverThatIgnoresAStop) {
    const std::string config = on_python(
        "    def drive(self, left, right, enabled):\n"
        "        if abs(left) >= abs(self.speeds[0]): super().drive(left, right, enabled)\n");
    const auto checked = check(config);
    EXPECT_EQ(checked.code, 1);
    EXPECT_THAT(checked.out,
                ContainsRegex("FAILED +wheels +the wheels still turn at .*cut the motors' supply"));
    EXPECT_THAT(checked.out, ContainsRegex("unverified +guard +not tried, because `wheels` failed"));
    EXPECT_FALSE(is_stopped()) << "as before";
    start(config);
    EXPECT_THAT(status(),
                AllOf(HasSubstr("RM1"), HasSubstr("the self-check of 2"), HasSubstr(" has failed")));
    end();
}

TEST_F(SelfCheckCli, FailsIfAnOrderEndsBeforeItsTimeToLive) {
    const auto checked = check(
        on_python("    starts = 0\n"
                  "    def drive(self, left, right, enabled):\n"
                  "        if (left, right) != (0, 0) and self.speeds == (0, 0):\n"
                  "            self.starts += 1\n"
                  "            self.since = base.time.monotonic()\n"
                  "        super().drive(left, right, enabled)\n"
                  "    def read(self):\n"
                  "        seen = super().read()\n"
                  "        # The second time, a missing reading ends the order of the dead man's switch.\n"
                  "        if self.starts == 2 and 0.1 < base.time.monotonic() - self.since < 0.5:\n"
                  "            seen.switches['bumper_front'] = None\n"
                  "        return seen\n"));
    EXPECT_EQ(checked.code, 1);
    EXPECT_THAT(checked.out,
                ContainsRegex("FAILED +dead man's switch +an order ended after [0-9]+ ms, before "
                              "its time to live of 500 ms"))
        << log();
}

TEST_F(SelfCheckCli, DoesNotHideWheelsThatStartToTurnWithoutAnOrderLater) {
    const std::string config =
        self_checked(on_python("    def read(self):\n"
                               "        if os.path.exists('" +
                               file("runs_away") +
                               "'): self.speeds = (0.3, 0.3)\n"
                               "        return super().read()\n"));
    store_stop();  // nothing is ordered, and the motors are on
    start(config);
    EXPECT_THAT(status(), AllOf(HasSubstr("RM2"), HasSubstr("faults none")));
    world.folder().write("runs_away", "");
    EXPECT_EQ(end_of(*robot).code, 10) << log();
    EXPECT_THAT(log(),
                HasSubstr("encoder_disagreement: a wheel turns differently from its order, or without one"));
}

TEST_F(SelfCheckCli, LeavesTheDeviceAtRestWhenItIsInterrupted) {
    const std::string device = world.folder().write("device", "");
    const std::string orders = world.folder().write("orders", "");
    const std::string config = on_python(
        "    stop_frame = b'STOP'\n"
        "    def drive(self, left, right, enabled):\n"
        "        super().drive(left, right, enabled)\n"
        "        print(f'{abs(left) + abs(right):.3f}', file=open('" +
            orders + "', 'a'))\n",
        "device = \"" + device + "\"\n");
    ChildProcess checking(command({"robot", "--self-check", "--yes", "--config", config}));
    ASSERT_TRUE(comes_true([&] { return stored_text(orders).find("0.1") != std::string::npos; })) << log();
    checking.signal(SIGINT);
    EXPECT_NE(end_of(checking).code, 0) << log();
    EXPECT_TRUE(stored_text(orders).ends_with("\n0.000\n")) << stored_text(orders);
    EXPECT_EQ(stored_text(device), "STOPSTOP");
}

/// A base that turns on as it was ordered last, also without its driver, until a stop frame is written to it.
class BodyCheckOfAPersistentBase : public SelfCheckCli {
protected:
    std::string with_frame(const std::string& frame, const std::string& more = "") const {
        return on_python("    stop_frame = b'" + frame +
                             "'\n"
                             "    stops_without_feed_ms = -1\n"
                             "    def drive(self, left, right, enabled):\n"
                             "        super().drive(left, right, enabled)\n"
                             "        open('" +
                             device + "', 'w').close()\n        open('" + motors +
                             "', 'w').write(f'{left} {right}')\n" + more +
                             "    def read(self):\n"
                             "        self.turn_wheels()\n"
                             "        is_stopped = b'STOP' in open('" +
                             device +
                             "', 'rb').read()\n"
                             "        ordered = open('" +
                             motors +
                             "').read().split() or (0, 0)\n"
                             "        self.speeds = (0, 0) if is_stopped else tuple(map(float, ordered))\n"
                             "        return super().read()\n",
                         "device = \"" + device + "\"\n");
    }
    bool is_device_stopped() const { return stored_text(device).contains("STOPSTOP"); }

    const std::string device = world.folder().write("device", "");
    const std::string motors = world.folder().write("motors", "");
};

TEST_F(BodyCheckOfAPersistentBase, MeasuresItsStopFrameAndLeavesItStopped) {
    const auto good = run({"body", "check", with_frame("STOP")});
    EXPECT_EQ(good.code, 0) << good.out << good.err;
    EXPECT_THAT(good.out,
                ContainsRegex("ok +stop_frame +at rest by the encoders [0-9]+ ms after the driver was "
                              "killed and its stop frame was written"));
    EXPECT_TRUE(is_device_stopped()) << stored_text(device);
    const auto bad = run({"body", "check", with_frame("STAP")});
    EXPECT_EQ(bad.code, 1) << bad.out << bad.err;
    EXPECT_THAT(bad.out, ContainsRegex("FAILED +stop_frame +the wheels turn [0-9]+ ms after the driver"));
}

TEST_F(BodyCheckOfAPersistentBase, StopsItWhenItsDriverFailsInMotion) {
    const auto end =
        run({"body", "check", with_frame("STOP", "        if left > 0 and right == 0: os._exit(1)\n")});
    EXPECT_EQ(end.code, 1) << end.out << end.err;
    EXPECT_THAT(end.out, ContainsRegex("FAILED +driver +the driver closed the connection"));
    EXPECT_TRUE(is_device_stopped()) << stored_text(device);
}

TEST_F(SelfCheckCli, IsRefusedForAStopFrameWithoutADevice) {
    const std::string config = on_python("    stop_frame = b'stop'\n");
    const auto checked = check(config);
    EXPECT_EQ(checked.code, 1);
    EXPECT_THAT(checked.err, HasSubstr("the driver declares a stop_frame, but body.device is not set"));
    const auto body = run({"body", "check", config});
    EXPECT_EQ(body.code, 1);
    EXPECT_THAT(body.out, ContainsRegex("FAILED +stop_frame +the driver declares one, but the configuration "
                                        "has no body.device"));
}

TEST_F(SelfCheckCli, IsNamedByARobotThatIsToDriveInRm3WithoutIt) {
    std::string text = stored_text(in_world());
    text.replace(text.find("DefaultRunMode = 2"), 18, "DefaultRunMode = 3\nhandshake_limit = 60");
    const std::string config = world.folder().write("rover.toml", text);
    const Instant before = SystemClock().now();
    start(config);
    EXPECT_LT(SystemClock().now() - before, 30s) << "it does not wait for a station";
    EXPECT_THAT(status(), HasSubstr("RM1(RequestedSleep)"));
    EXPECT_THAT(answer("105 level=1"),
                AllOf(HasSubstr("UNSAFE: not self-checked"), HasSubstr("--self-check")));
    end();
}

TEST_F(SelfCheckCli, IsRefusedWhileTheRobotRunsAndKeepsItFromStarting) {
    const std::string config = in_world();
    start(config);
    const auto refused = check(config);
    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.err, HasSubstr("robot rover is already running (pid "));
    end();
    EXPECT_FALSE(has_moved());
    const auto running = check_until(0);
    const auto started = run({"robot", "--config", config});
    EXPECT_EQ(started.code, 1);
    EXPECT_THAT(started.err, HasSubstr("a self-check of robot rover is running (pid "));
    EXPECT_EQ(end_of(*running).code, 0) << log();
}

TEST_F(SelfCheckCli, IsNotTheSelfTestWhichReportsThatItIsMissing) {
    const auto tested = run({"robot", "--self-test", "--config", in_world()});
    EXPECT_EQ(tested.code, 0) << tested.err;
    EXPECT_EQ(tested.out, "the robot starts, but has these faults: not self-checked\n");
    EXPECT_FALSE(has_moved());
    EXPECT_EQ(run({"robot", "--self-test", "--self-check", "--yes", "--config", in_world()}).code, 2);
}

TEST_F(SelfCheckCli, MovesNothingWithoutAConfirmation) {
    const std::string config = in_world();
    const auto silent = run({"robot", "--self-check", "--config", config});
    EXPECT_EQ(silent.code, 2);
    EXPECT_THAT(silent.err, HasSubstr("add --yes if the wheels are off the floor"));
    for (const std::string answer : {"no", "yes"}) {
        TerminalProcess program(command({"robot", "--self-check", "--config", config}));
        ASSERT_TRUE(program.shows("Type yes: ", limit)) << program.shown();
        EXPECT_FALSE(has_moved());
        program.press(answer + "\n");
        EXPECT_EQ(program.wait(limit), answer == "yes" ? 0 : 2) << program.shown();
    }
    EXPECT_TRUE(has_moved());
}

TEST_F(SelfCheckCli, NeverReleasesAStopHoweverItEnds) {
    for (int items = 0; items <= 4; ++items) {
        store_stop();
        auto program = check_until(items);
        const auto guard = children_of(program->id());
        ASSERT_THAT(guard, SizeIs(1));
        for (const pid_t each : children_of(guard.front())) send_signal(each, SIGKILL);
        EXPECT_EQ(end_of(*program).code, 128 + SIGKILL);
        EXPECT_TRUE(is_stopped()) << "killed after " << items << " items";
        EXPECT_TRUE(comes_true([&] { return !world.moves(); })) << "the guard has stopped the body";
    }
    store_stop();
    EXPECT_EQ(check(in_world()).code, 0) << log();
    EXPECT_TRUE(is_stopped());
    EXPECT_THAT(stored_text(file("rover.latch")), HasSubstr("cause = \"station\""));
}

TEST_F(SelfCheckCli, RestoresTheLatchWhenItIsInterrupted) {
    ASSERT_EQ(check(in_world()).code, 0);
    const std::string before = stored_text(file("rover.check"));
    for (const bool stopped : {false, true})
        for (int items = 0; items <= 4; ++items) {
            if (stopped) store_stop();
            auto program = check_until(items);
            program->signal(SIGINT);
            const auto end = end_of(*program);
            // Between the last item and its end there is nothing left to interrupt.
            if (end.code != 0) {
                EXPECT_THAT(end.err, HasSubstr("it was interrupted; the result of before stays"));
            }
            EXPECT_EQ(is_stopped(), stopped) << "after " << items << " items";
            auto orders = world.trace();
            std::erase_if(orders, [](const auto& each) { return each.reason != "order"; });
            ASSERT_FALSE(orders.empty());
            EXPECT_FALSE(orders.back().moves()) << "ordered to rest, not only by the end of the driver";
        }
    EXPECT_THAT(stored_text(file("rover.check")), HasSubstr("passed = true"));
}

/// A body on pins, with a line that the guard owns.
class SelfCheckOnPins : public RobotOnPins {
protected:
    ChildProcess::End check(const Settings& wanted) {
        ChildProcess program(command({"robot", "--self-check", "--yes", "--config", configuration(wanted)}),
                             settings());
        return end_of(program);
    }
};

TEST_F(SelfCheckOnPins, ReportsWhatItCannotVerify) {
    const auto guarded = check({.gpio = "guard = 5\n"});
    EXPECT_EQ(guarded.code, 0) << guarded.out << guarded.err << log();
    EXPECT_THAT(guarded.out, ContainsRegex("unverified +wheels +the body has no encoders"));
    EXPECT_THAT(guarded.out, ContainsRegex("passed +guard +the body stopped 2[0-9]+ ms"));
    EXPECT_THAT(guarded.out, HasSubstr("passed, but 1 could not be verified; the result is in "));
    EXPECT_FALSE(is_enabled());
    const auto unguarded = check({.body = "unguarded = true\n"});
    EXPECT_EQ(unguarded.code, 0) << unguarded.out << unguarded.err << log();
    EXPECT_THAT(unguarded.out, ContainsRegex("unverified +guard +nothing outside the robot's process"));
}

TEST_F(SelfCheckOnPins, FailsOnAGuardLineThatStaysHigh) {
    SharedPins::store(pins->stuck_line, 5);
    const auto end = check({.gpio = "guard = 5\n"});
    EXPECT_EQ(end.code, 1) << end.out;
    EXPECT_THAT(end.out, ContainsRegex("FAILED +guard +the guard could not confirm"));
}

}  // namespace
}  // namespace caribou::tests
