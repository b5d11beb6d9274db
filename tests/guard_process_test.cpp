// `caribou robot` under its guard, as separate processes: what stops the body when the robot does not.

#include <csignal>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "child/control_group.hpp"
#include "child/process_tree.hpp"
#include "child/robot_console.hpp"
#include "child/terminal_process.hpp"
#include "field/stalled_thread.hpp"
#include "guard/guarded_drive.hpp"
#include "pins/robot_on_pins.hpp"
#include "platform/system_clock.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

constexpr std::size_t guard_line = 5;
/// What docs/safety.md promises for a body that stops at once: 200 ms and one period of propulsion.
constexpr Duration cut_limit = 220ms;

/// A robot on a Linux body whose wiring has a line that the guard owns.
class GuardedRobot : public RobotOnPins {
protected:
    static Settings with_line() { return {.gpio = "guard = 5\n"}; }

    void start(const Settings& wanted = with_line()) { start_words(words(wanted)); }
    void start_words(const Words& all) {
        program = std::make_unique<ChildProcess>(all, settings());
        ASSERT_TRUE(comes([&] { return drives() && line_is_high(); })) << log();
        find_processes(program->id());
    }
    /// The program that was started waits for the guard, whose child is the robot.
    void find_processes(pid_t started) {
        ASSERT_THAT(children_of(started), SizeIs(1));
        guard = children_of(started).front();
        ASSERT_THAT(children_of(guard), SizeIs(1));
        robot = children_of(guard).front();
    }
    bool line_is_high() const { return SharedPins::load(pins->level.at(guard_line)) == 1; }
    Instant low_since() const { return Instant(Duration(SharedPins::load(pins->low_since.at(guard_line)))); }

    struct Cut {
        std::string reason;
        Instant last_feed;
    };
    /// The cut that the guard has logged last, waited for.
    std::optional<Cut> cut() const {
        static const std::regex pattern(R"(guard: the body is cut: (.*) \(last feed at ([0-9.]+) s)");
        std::optional<Cut> found;
        comes([&] {
            const std::string text = log();
            for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at)
                found = Cut{(*at)[1], Instant(from_seconds(std::stod((*at)[2])))};
            return found.has_value();
        });
        return found;
    }
    void expect_cut_in_time(const testing::Matcher<std::string>& reason) {
        ASSERT_TRUE(comes([&] { return !line_is_high(); })) << log();
        const auto found = cut();
        ASSERT_TRUE(found) << log();
        EXPECT_THAT(found->reason, reason);
        EXPECT_LE(low_since() - found->last_feed, cut_limit) << log();
    }

    std::unique_ptr<ChildProcess> program;
    pid_t guard = -1;
    pid_t robot = -1;
};

TEST_F(GuardedRobot, IsCutWhenItsProcessIsStopped) {
    start();
    send_signal(robot, SIGSTOP);
    expect_cut_in_time("the robot's process is stopped");
    send_signal(robot, SIGKILL);
    EXPECT_EQ(end_of(*program).code, 128 + SIGKILL);
}

TEST_F(GuardedRobot, IsRestoredAfterAShortStop) {
    Settings wanted = with_line();
    wanted.more = "[safety]\nstall_after = 1\n";
    start(wanted);
    send_signal(robot, SIGSTOP);
    ASSERT_TRUE(comes([&] { return !line_is_high(); })) << log();
    send_signal(robot, SIGCONT);
    EXPECT_TRUE(comes([&] { return line_is_high() && drives(); })) << log();
    EXPECT_THAT(log(), HasSubstr("the guard has cut the body: the robot's process is stopped"));
    program->signal(SIGTERM);
    EXPECT_EQ(end_of(*program).code, 0);
}

TEST_F(GuardedRobot, IsCutWhenItsProcessIsKilled) {
    start();
    send_signal(robot, SIGKILL);
    expect_cut_in_time("the robot's process has ended");
    EXPECT_EQ(end_of(*program).code, 128 + SIGKILL);
}

TEST_F(GuardedRobot, IsCutWhenOnlyItsPropulsionIsStopped) {
    start();
    {
        const StalledThread propulsion(robot, "propulsion");
        expect_cut_in_time(StartsWith("no feed for 20"));
    }
    EXPECT_EQ(end_of(*program).code, 10);
}

TEST_F(GuardedRobot, IsCutWhenItsControlGroupIsFrozen) {
    ControlGroup group;
    ASSERT_FALSE(HasFailure());
    group.enter();
    start_words(command({"robot", "--delegated", "--config", configuration(with_line())}));
    group.leave();
    ASSERT_FALSE(HasFailure());
    ASSERT_TRUE(group.freeze("robot", true));
    expect_cut_in_time(StartsWith("no feed for 20"));
    EXPECT_FALSE(has_ended(guard));
    EXPECT_TRUE(group.freeze("robot", false));
    EXPECT_EQ(end_of(*program).code, 10);
}

TEST_F(GuardedRobot, StopsItselfWhenItsGuardIsKilled) {
    start();
    send_signal(guard, SIGKILL);
    EXPECT_TRUE(comes([&] { return !is_enabled(); })) << log();
    EXPECT_TRUE(comes([&] { return has_ended(robot); })) << log();
    EXPECT_THAT(log(), HasSubstr("guard_silent"));
    EXPECT_EQ(end_of(*program).code, 128 + SIGKILL);
}

TEST_F(GuardedRobot, StopsItselfWhenItsGuardIsStopped) {
    start();
    send_signal(guard, SIGSTOP);
    EXPECT_TRUE(comes([&] { return !is_enabled(); })) << log();
    EXPECT_TRUE(comes([&] { return log().find("guard_silent") != std::string::npos; })) << log();
    send_signal(guard, SIGCONT);
    EXPECT_EQ(end_of(*program).code, 10);
}

TEST_F(GuardedRobot, EndsOnASignalAlthoughItsGuardIsStopped) {
    start();
    send_signal(guard, SIGSTOP);
    ASSERT_TRUE(comes([&] { return log().find("guard_silent") != std::string::npos; })) << log();
    program->signal(SIGTERM);
    EXPECT_EQ(end_of(*program).code, 128 + SIGKILL);
    EXPECT_TRUE(has_ended(guard));
    EXPECT_TRUE(has_ended(robot));
    EXPECT_FALSE(is_enabled());
}

TEST_F(GuardedRobot, EndsInGoodOrderOnASignalToTheProgramThatWasStarted) {
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
        start();
        program->signal(signal);
        EXPECT_EQ(end_of(*program).code, 0) << signal;
        EXPECT_FALSE(line_is_high());
        EXPECT_FALSE(is_enabled());
        EXPECT_THAT(log(), Not(HasSubstr("is cut")));
    }
}

TEST_F(GuardedRobot, EndsInGoodOrderWhenTheProgramThatWasStartedIsKilled) {
    start();
    program->signal(SIGKILL);
    EXPECT_TRUE(comes([&] { return has_ended(guard); }));
    EXPECT_TRUE(has_ended(robot));
    EXPECT_FALSE(line_is_high());
    EXPECT_THAT(log(), Not(HasSubstr("is cut")));
}

TEST_F(GuardedRobot, EndsInGoodOrderAlthoughAThreadOfItsGuardHangs) {
    start();
    const StalledThread reaper(guard, "reaper");
    program->signal(SIGTERM);
    reaper.reap(limit);
    EXPECT_EQ(end_of(*program).code, 0) << log();
    EXPECT_TRUE(has_ended(robot));
    EXPECT_FALSE(line_is_high());
}

/// A process that is stopped handles SIGTERM once it continues.
TEST_F(GuardedRobot, EndsBySignalsAlsoIfTheProgramThatWasStartedIsStopped) {
    for (const bool to_guard : {false, true}) {
        start();
        program->signal(SIGSTOP);
        if (to_guard) {
            send_signal(guard, SIGTERM);
            EXPECT_TRUE(comes([&] { return has_ended(robot) && has_ended(guard); })) << log();
            EXPECT_FALSE(line_is_high());
        } else {
            program->signal(SIGTERM);
            EXPECT_FALSE(has_ended(robot)) << "not before it continues";
        }
        program->signal(SIGCONT);
        EXPECT_EQ(end_of(*program).code, 0) << log();
        EXPECT_TRUE(has_ended(robot));
        EXPECT_FALSE(line_is_high());
        EXPECT_THAT(log(), Not(HasSubstr("is cut")));
    }
}

TEST_F(GuardedRobot, IsKilledByItsGuardWhenASignalDoesNotEndItAndStartsStopped) {
    start();
    send_signal(robot, SIGSTOP);
    ASSERT_TRUE(comes([&] { return !line_is_high(); })) << log();
    program->signal(SIGTERM);
    EXPECT_EQ(end_of(*program).code, 128 + SIGKILL);
    EXPECT_THAT(log(),
                HasSubstr("guard: the robot does not end: it is killed, and starts stopped next time"));
    std::stringstream latch;
    latch << std::ifstream(scratch / "cbot.latch").rdbuf();
    EXPECT_THAT(latch.str(), HasSubstr("cause = \"thread_silent\""));
}

/// A robot with its two buttons.
class RobotWithButtons : public GuardedRobot {
protected:
    static constexpr std::size_t release_button = 6;
    static constexpr std::size_t power_off_button = 7;

    void start_with_buttons() {
        Settings wanted = with_line();
        wanted.gpio += "release_button = 6\npower_off_button = 7\n";
        start(wanted);
    }
    void set(std::size_t line, bool high) const { SharedPins::store(pins->level.at(line), high ? 1 : 0); }
    /// Presses a button for so long that a busy machine notices it, and lets it go.
    void press(std::size_t button) const {
        const Instant until = SystemClock().now() + 1s;
        set(button, false);
        comes([&] { return SystemClock().now() >= until; });
        set(button, true);
    }
    void stop_by_emergency_input() const {
        set(emergency_line, false);
        ASSERT_TRUE(comes([&] { return !drives(); })) << log();
        set(emergency_line, true);
        ASSERT_TRUE(comes([&] { return log().contains("stopped until released, by emergency_input"); }));
    }
};

TEST_F(RobotWithButtons, IsReleasedByAPressUnlessTheEmergencyInputIsActive) {
    set(release_button, true);
    set(power_off_button, true);
    start_with_buttons();
    set(emergency_line, false);
    ASSERT_TRUE(comes([&] { return log().contains("stopped until released, by emergency_input"); })) << log();
    press(release_button);
    EXPECT_TRUE(comes([&] {
        return log().contains(
            "release by its button: FAILED: it is still stopped: the emergency input is active");
    })) << log();
    EXPECT_FALSE(drives());
    set(emergency_line, true);
    press(release_button);
    EXPECT_TRUE(comes([&] { return drives(); })) << log();
    EXPECT_TRUE(comes([&] { return log().contains("stop released by button (drive)"); })) << log();
    press(power_off_button);
    EXPECT_TRUE(drives()) << "it was pressed too shortly";
    set(power_off_button, false);
    EXPECT_EQ(end_of(*program).code, 10) << "held";
    EXPECT_THAT(log(), HasSubstr("power-off by its button"));
}

TEST_F(RobotWithButtons, IsNotReleasedByALineThatIsStuckFromTheStart) {
    set(release_button, false);
    set(power_off_button, false);
    start_with_buttons();
    ASSERT_NO_FATAL_FAILURE(stop_by_emergency_input());
    const Instant until = SystemClock().now() + 1s;
    comes([&] { return SystemClock().now() >= until; });
    set(release_button, true);  // it comes loose
    const Instant later = SystemClock().now() + 1s;
    comes([&] { return SystemClock().now() >= later; });
    EXPECT_FALSE(drives()) << log();
    press(release_button);
    EXPECT_TRUE(comes([&] { return drives(); })) << "after an edge " << log();
    EXPECT_THAT(log(), Not(HasSubstr("power-off")));
}

/// The threads that handle signals and end the robot hang both.
class EndDuringTwoHangs : public GuardedRobot, public testing::WithParamInterface<int> {};

TEST_P(EndDuringTwoHangs, SwitchesTheMotorsOffAndEndsTheRobot) {
    start();
    const StalledThread initial(robot);
    const StalledThread main(robot, "main");
    if (GetParam() == SIGPWR) {
        const auto off = run({"robot", "power-off", "--config", configuration(with_line())}, settings());
        EXPECT_EQ(off.code, 0) << off.err;
        EXPECT_THAT(off.out, HasSubstr("it was sent SIGPWR"));
    } else {
        program->signal(SIGTERM);
    }
    const Instant asked = SystemClock().now();
    ASSERT_TRUE(comes([&] { return !line_is_high(); })) << log();
    EXPECT_LE(low_since() - asked, 4s) << "3 s, or when it has stopped by itself";
    EXPECT_TRUE(comes([&] {
        return log().contains("the robot is to end and does not switch its motors off");
    })) << log();
    main.reap(limit);
    initial.reap(limit);
    EXPECT_EQ(end_of(*program).code, GetParam() == SIGPWR ? 10 : 128 + SIGKILL);
    EXPECT_FALSE(line_is_high());
}
INSTANTIATE_TEST_SUITE_P(Ways, EndDuringTwoHangs, testing::Values(SIGTERM, SIGPWR), [](const auto& info) {
    return info.param == SIGTERM ? "Sigterm" : "PowerOffCommand";
});

TEST_F(GuardedRobot, EndsInGoodOrderWithoutItsInitialThread) {
    start();
    const StalledThread initial(robot);
    ASSERT_TRUE(comes([&] { return !drives(); })) << log();
    program->signal(SIGTERM);
    initial.reap(limit);
    EXPECT_EQ(end_of(*program).code, 1);
    EXPECT_FALSE(line_is_high());
    EXPECT_THAT(log(), HasSubstr("signals hangs: the robot ends without it"));
    EXPECT_THAT(log(), Not(HasSubstr("is cut")));
}

TEST_F(GuardedRobot, GoesOnUnderItsGuardAfterRm5) {
    Settings wanted = with_line();
    wanted.com_mode = 3;
    program = std::make_unique<ChildProcess>(words(wanted), settings());
    const std::uint16_t port = port_of(*program);
    ASSERT_NE(port, 0) << log();
    ASSERT_TRUE(comes([&] { return drives() && line_is_high(); })) << log();
    find_processes(program->id());
    const pid_t before = robot;
    tell(port, "setRM(5)");
    ASSERT_NE(port_of(*program), 0) << log();
    ASSERT_TRUE(comes([&] { return drives() && line_is_high(); })) << log();
    find_processes(program->id());
    EXPECT_EQ(robot, before) << "a fresh image in the same process";
    send_signal(robot, SIGSTOP);
    expect_cut_in_time("the robot's process is stopped");
    send_signal(robot, SIGKILL);
}

TEST_F(GuardedRobot, StartsExplicitlyWithGuard) {
    const std::string config = configuration(with_line());
    start_words(command({"guard", "--", "robot", "--config", config}));
    ASSERT_FALSE(HasFailure());
    send_signal(robot, SIGKILL);
    expect_cut_in_time("the robot's process has ended");
    EXPECT_EQ(end_of(*program).code, 128 + SIGKILL);
}

TEST_F(GuardedRobot, WritesHeartbeatsAndFeedsTheWatchdog) {
    const std::string beats = scratch.write("heartbeat", "");
    const std::string watchdog = scratch.write("watchdog", "");
    Settings wanted = with_line();
    wanted.body = "heartbeat = \"" + beats + "\"\nwatchdog = \"" + watchdog + "\"\n";
    const auto text_in = [](const std::string& path) {
        std::stringstream text;
        text << std::ifstream(path).rdbuf();
        return text.str();
    };
    start(wanted);
    EXPECT_TRUE(comes([&] { return text_in(beats).starts_with("heartbeat\nheartbeat\n"); }));
    program->signal(SIGTERM);
    EXPECT_EQ(end_of(*program).code, 0);
    EXPECT_THAT(text_in(watchdog), AllOf(StartsWith(".."), EndsWith("V"))) << "off after an orderly end";
    EXPECT_THAT(text_in(beats), Not(HasSubstr("stop")));
    start(wanted);
    send_signal(robot, SIGKILL);
    end_of(*program);
    EXPECT_THAT(text_in(beats), EndsWith("heartbeat\nstop\n"));
    EXPECT_THAT(text_in(watchdog), EndsWith(".")) << "the watchdog goes on after a crash";
}

TEST_F(GuardedRobot, IsNotReachedByTheKeysOfTheTerminal) {
    Words all = {"/usr/bin/env"};
    for (const std::string& setting : settings()) all.push_back(setting);
    for (const std::string& word : words(with_line())) all.push_back(word);
    TerminalProcess terminal(all);
    ASSERT_TRUE(terminal.shows("is ready in RM2", limit)) << log();
    ASSERT_TRUE(comes([&] { return drives() && line_is_high(); })) << log();
    find_processes(terminal.id());
    EXPECT_EQ(session_of(guard), guard);
    EXPECT_NE(session_of(guard), session_of(terminal.id()));
    terminal.press("\x1a");  // Ctrl-Z
    terminal.press("\x03");  // Ctrl-C
    EXPECT_EQ(terminal.wait(limit), 0) << terminal.shown();
    EXPECT_THAT(log(), Not(HasSubstr("is cut")));
}

TEST_F(GuardedRobot, IsRequiredOfARealBodyUnlessItIsDeclaredUnguarded) {
    for (const Words& more : {Words{}, Words{"--check-config"}}) {
        Words all = words({});
        all.insert(all.end(), more.begin(), more.end());
        ChildProcess refused(all, settings());
        const auto end = end_of(refused);
        EXPECT_EQ(end.code, 1);
        EXPECT_THAT(end.err, AllOf(HasSubstr("RM2 and RM3 are refused"), HasSubstr("gpio.guard"),
                                   HasSubstr("body.unguarded = true")));
    }
    ChildProcess unguarded(words({.body = "unguarded = true\n", .com_mode = 3}), settings());
    const std::uint16_t port = port_of(unguarded);
    ASSERT_NE(port, 0) << log();
    EXPECT_TRUE(comes([&] { return drives(); })) << log();
    EXPECT_THAT(children_of(unguarded.id()), SizeIs(0)) << "there is no guard";
    EXPECT_THAT(tell(port, "status"), Contains(HasSubstr("unguarded body")));
}

/// Robot, driver, guard and world, each a process of its own.
class GuardedDriver : public testing::Test {
protected:
    void expect_cut_in_time(Trouble trouble, const testing::Matcher<std::string>& reason) {
        const auto time = drive.cut_once(trouble);
        ASSERT_TRUE(time) << drive.why();
        EXPECT_LE(*time, cut_limit) << drive.log();
        EXPECT_THAT(drive.reason(), reason);
    }

    GuardedDrive drive;
};

TEST_F(GuardedDriver, IsKilledWhenTheRobotIsStopped) {
    expect_cut_in_time(Trouble::stopped, "the robot's process is stopped");
}

TEST_F(GuardedDriver, IsKilledWhenTheRobotIsKilled) {
    // The driver ends with its connection, possibly before the robot's process has ended completely.
    expect_cut_in_time(Trouble::killed, AnyOf("the robot's process has ended", "the driver has ended"));
}

TEST_F(GuardedDriver, IsKilledWhenOnlyPropulsionIsStopped) {
    expect_cut_in_time(Trouble::propulsion_stopped, StartsWith("no feed for 20"));
}

TEST_F(GuardedDriver, IsKilledWhenRobotAndDriverAreFrozen) {
    expect_cut_in_time(Trouble::frozen, StartsWith("no feed for 20"));
}

TEST_F(GuardedDriver, IsKilledAlsoInASessionOfItsOwn) {
    drive.use_session_of_its_own();
    expect_cut_in_time(Trouble::stopped, "the robot's process is stopped");
}

/// Two processes that are replaced by their children every millisecond, and one that starts another every 3
/// ms and takes a while to end, because it has much memory; all in sessions of their own. They end after a
/// while even if nothing kills them.
constexpr const char* fork_storm =
    "import os, time\n"
    "end = time.monotonic() + 20\n"
    "def hop():\n"
    "    while time.monotonic() < end:\n"
    "        if os.fork(): os._exit(0)\n"
    "        os.setsid(); time.sleep(0.001)\n"
    "def spawn():\n"
    "    ballast = b'x' * (200 << 20)\n"
    "    while time.monotonic() < end:\n"
    "        if not os.fork(): os.setsid(); time.sleep(20); os._exit(0)\n"
    "        time.sleep(0.003)\n"
    "for each in (hop, hop, spawn):\n"
    "    if not os.fork(): os.setsid(); each()\n";

TEST_F(GuardedDriver, IsKilledWithAllProcessesOfAForkStorm) {
    for (const bool grouped : {false, true}) {
        GuardedDrive stormy;
        stormy.run_beside_driver(fork_storm);
        if (grouped) stormy.use_control_groups();
        const auto time = stormy.cut_once(Trouble::stopped);
        ASSERT_TRUE(time) << stormy.why();
        EXPECT_LE(*time, cut_limit) << stormy.log();
        EXPECT_TRUE(stormy.killed_beside_driver()) << "with groups: " << grouped << "\n" << stormy.log();
        EXPECT_TRUE(stormy.beside_driver().empty()) << "after the end of the program";
        EXPECT_THAT(stormy.log(), Not(HasSubstr("no control group"))) << "grouped: " << grouped;
        for (const pid_t left : stormy.beside_driver()) send_signal(left, SIGKILL);
    }
}

TEST_F(GuardedDriver, IsKilledWithAllThatItHasStartedWhenTheGuardIsKilled) {
    drive.run_beside_driver(fork_storm);
    const auto time = drive.cut_once(Trouble::guard_killed);
    ASSERT_TRUE(time) << drive.why();
    EXPECT_LE(*time, cut_limit) << drive.log();
    EXPECT_TRUE(drive.killed_beside_driver()) << drive.log();
    for (const pid_t left : drive.beside_driver()) send_signal(left, SIGKILL);
}

TEST_F(GuardedDriver, IsKilledWhenItHangsAsTheRobotIsAskedToEnd) {
    const auto time = drive.cut_once(Trouble::driver_stopped_at_end);
    ASSERT_TRUE(time) << drive.why();
    EXPECT_LE(*time, 500ms) << drive.log();
}

TEST_F(GuardedDriver, IsKilledByTheRobotWhenItHangsTogetherWithTheGuard) {
    const auto time = drive.cut_once(Trouble::driver_and_guard_stopped);
    ASSERT_TRUE(time) << drive.why();
    EXPECT_LE(*time, 300ms) << drive.log();
}

TEST_F(GuardedDriver, IsKilledWhenItHangs) {
    const auto time = drive.cut_once(Trouble::driver_stopped);
    ASSERT_TRUE(time) << drive.why();
    EXPECT_LE(*time, 300ms) << "0.2 s of silence, a period of the driver and two of the robot";
    EXPECT_EQ(drive.reason(), "the driver does not answer");
}

}  // namespace
}  // namespace caribou::tests
