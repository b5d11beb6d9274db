// Process tests of `caribou robot`: its users, its station and its supervisor.

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/openssl/sha256.hpp"
#include "child/full_pipe.hpp"
#include "child/onlooker.hpp"
#include "child/process_tree.hpp"
#include "child/robot_console.hpp"
#include "child/world_process.hpp"
#include "platform/descriptor.hpp"
#include "platform/temporary_folder.hpp"
#include "platform/text_file.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using testing::StartsWith;

constexpr int status_of_rm0 = 10;

/// A supervisor's end of NOTIFY_SOCKET.
class NotifySocket {
public:
    explicit NotifySocket(const std::string& path)
        : socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.copy(address.sun_path, sizeof address.sun_path - 1);
        EXPECT_EQ(::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        const timeval patience{.tv_sec = 60, .tv_usec = 0};
        ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    }
    ~NotifySocket() { ::close(socket_); }
    NotifySocket(const NotifySocket&) = delete;
    NotifySocket& operator=(const NotifySocket&) = delete;

    /// Sends messages to itself until no more fit: a supervisor that does not receive.
    void fill(const std::string& path) const {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.copy(address.sun_path, sizeof address.sun_path - 1);
        const Descriptor sender(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        while (::sendto(sender.get(), "X=1", 3, 0, reinterpret_cast<const sockaddr*>(&address),
                        sizeof address) > 0) {}
    }
    /// Returns the next message; empty if there is none in time.
    std::string next() const {
        char text[1024];
        const ssize_t size = ::recv(socket_, text, sizeof text, 0);
        return size > 0 ? std::string(text, static_cast<std::size_t>(size)) : std::string();
    }

private:
    int socket_;
};

class RobotCli : public testing::Test {
protected:
    std::string config(std::string_view text) const { return scratch.write("robot.toml", text); }
    /// A wiring that is complete, on a GPIO chip that does not exist.
    std::string wiring_without_chip() const {
        std::string text = read_text_file(in_repository("examples/robots/rover.wiring.toml")).value();
        const std::string_view chip = "/dev/gpiochip0";
        text.replace(text.find(chip), chip.size(), "/dev/no_chip");
        return scratch.write("wiring.toml", text);
    }
    std::string config_of(std::string_view mode, std::string_view more = "") const {
        return config(std::string("DefaultRunMode = ") + std::string(mode) + "\nReceivePort = 0\nlog = \"" +
                      (scratch / "robot.log").string() + "\"\n" + std::string(more) +
                      "[link]\nplain = true\nrecord = \"" + (scratch / "robot.link").string() + "\"\n");
    }
    static Words robot(const std::string& file, const Words& more = {}) {
        Words words{"robot", "--config", file};
        words.insert(words.end(), more.begin(), more.end());
        return command(words);
    }
    static std::set<std::string> threads_of(pid_t process) {
        std::set<std::string> names;
        for (const auto& task :
             std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task")) {
            std::string name;
            std::getline(std::ifstream(task.path() / "comm"), name);
            names.insert(name);
        }
        return names;
    }

    TemporaryFolder scratch;
};

TEST_F(RobotCli, ShowsItsThreadsAndEndsOnASignal) {
    ChildProcess program(robot(config_of("2")));
    ASSERT_NE(port_of(program), 0);
    EXPECT_THAT(threads_of(program.id()),
                IsSupersetOf({"main", "telemetry", "transmission", "receiver", "ai", "propulsion"}));
    program.signal(SIGTERM);
    const auto end = end_of(program);
    EXPECT_EQ(end.code, 0) << end.err;
}

TEST_F(RobotCli, ReportsALidarThatIsSilentUntilItIsBack) {
    ChildProcess program(robot(config_of("2")));
    const std::uint16_t port = port_of(program);
    ASSERT_NE(port, 0);
    const auto has_fault = [&](bool expected) {
        return comes_true([&] { return tell(port, "status").back().contains("lidar is silent") == expected; },
                          10s);
    };
    EXPECT_TRUE(has_fault(false));
    EXPECT_THAT(tell(port, "faults line=\"break dead_sensor.lidar\""), ElementsAre(StartsWith("DONE")));
    EXPECT_TRUE(has_fault(true));
    EXPECT_THAT(tell(port, "faults line=\"mend dead_sensor.lidar\""), ElementsAre(StartsWith("DONE")));
    EXPECT_TRUE(has_fault(false));
    program.signal(SIGTERM);
    EXPECT_EQ(end_of(program).code, 0);
}

TEST_F(RobotCli, ReportsInRm0ThatItStaysOff) {
    ChildProcess program(robot(config_of("2", "name = \"rover\"\n")));
    const std::uint16_t port = port_of(program);
    ASSERT_NE(port, 0);
    send_signal(program.id(), SIGSTOP);
    comes_true([] { return false; }, 1s);  // longer than safety.stall_after
    send_signal(program.id(), SIGCONT);
    const auto end = end_of(program);
    EXPECT_EQ(end.code, status_of_rm0);
    EXPECT_THAT(end.err,
                HasSubstr("caribou robot: rover is off (RM0): missed_deadlines; it stays off until it "
                          "is started again"));
    std::stringstream log;
    log << std::ifstream(scratch / "robot.log").rdbuf();
    EXPECT_THAT(log.str(), HasSubstr("missed_deadlines: propulsion was not executed for longer than "
                                     "safety.stall_after"));
}

TEST_F(RobotCli, EndsInRm0ThoughStandardErrorIsAPipeThatNobodyReads) {
    const std::string pipe = (scratch / "stderr").string();
    const FullPipe unread(pipe);
    unread.fill();
    ChildProcess program({"/bin/sh", "-c",
                          "exec " + program_path() + " robot --config " +
                              config_of("2", "name = \"rover\"\n") + " 2>" + pipe});
    ASSERT_NE(port_of(program), 0);
    send_signal(program.id(), SIGPWR);
    EXPECT_EQ(end_of(program).code, status_of_rm0);
}

TEST_F(RobotCli, ChecksTheFilesThatItsDriverNeeds) {
    const auto check = [&](const std::string& body) {
        return run(
            {"robot", "--check-config", "--config", config_of("2", "[body]\nkind = \"driver\"\n" + body)});
    };
    const auto folder = check("command = [\"/tmp\"]\n");
    EXPECT_EQ(folder.code, 1);
    EXPECT_THAT(folder.err, HasSubstr("body.command: `/tmp` is not an executable file"));
    const auto device = check("command = [\"/bin/true\"]\ndevice = \"/dev/none\"\n");
    EXPECT_EQ(device.code, 1);
    EXPECT_THAT(device.err, HasSubstr("body.device: /dev/none: no such file or directory"));
    EXPECT_EQ(check("command = [\"true\"]\ndevice = \"/dev/null\"\n").code, 0);
    EXPECT_THAT(check("command = [\"true\"]\ndevice = \"/dev\"\n").err,
                HasSubstr("body.device: /dev is a folder; expected a device, such as /dev/ttyACM0"));
    EXPECT_THAT(check("command = [\"true\"]\nheartbeat = \"/tmp\"\n").err,
                HasSubstr("body.heartbeat: /tmp is a folder; expected a device"));
    const auto script = check("command = [\"python3\", \"./no_base.py\"]\n");
    EXPECT_EQ(script.code, 1);
    EXPECT_THAT(script.err,
                HasSubstr("body.command: there is no file `./no_base.py`, which python3 would execute"));
    EXPECT_EQ(check("command = [\"python3\", \"-c\", \"pass\"]\n").code, 0);
}

TEST_F(RobotCli, LetsTheIncludedDriverCheckItsArguments) {
    const auto check = [&](const std::string& words) {
        return run({"robot", "--check-config", "--config",
                    config_of("2", "[body]\nkind = \"driver\"\ncommand = [\"" + program_path() +
                                       "\", \"driver\", " + words + "]\ndevice = \"/dev/null\"\n")});
    };
    EXPECT_THAT(check(R"("board", "--wiring=none.toml")").err, HasSubstr("none.toml: no such file"));
    EXPECT_THAT(check(R"("create2", "--lidar=ld20:/dev/null")").err,
                HasSubstr("there is no driver for the lidar `ld20`; there are `ld06`"));
    EXPECT_THAT(check(R"("create2", "--lidar=ld19:/dev/none")").err,
                HasSubstr("body.command: caribou driver: error: /dev/none: no such file or directory"));
    EXPECT_THAT(check(R"("create2", "--lidra=ld19:/dev/null")").err, HasSubstr("--lidra"));
    EXPECT_EQ(check(R"("create2", "--lidar=ld19:/dev/none", "--lidar-optional")").code, 0);
    EXPECT_EQ(check(R"("create2", "--lidar=ld19:/dev/null")").code, 0);
}

TEST_F(RobotCli, ChecksTheProgramOfItsCamera) {
    const auto check = [&](const std::string& program) {
        return run({"robot", "--check-config", "--config",
                    config_of("2", "[camera]\ncommand = [\"" + program + "\", \"-t\", \"0\"]\n")});
    };
    const auto missing = check("/no/such/eye");
    EXPECT_EQ(missing.code, 1);
    EXPECT_THAT(missing.err, HasSubstr("camera.command: `/no/such/eye` is not an executable file"));
    EXPECT_EQ(check("true").code, 0);
}

TEST_F(RobotCli, ShowsItselfToWhoeverAsksAStation) {
    ChildProcess program(
        robot(config_of("2", "name = \"rover\"\nDefaultComMode = 0\n[web]\nlisten = \"127.0.0.1:0\"\n")));
    const std::string line = program.read_line(limit).value_or("");
    ASSERT_THAT(line, StartsWith("rover shows itself at http://127.0.0.1:"));
    std::string at = line.substr(line.find("//") + 2);
    at.pop_back();
    Onlooker onlooker(at);
    EXPECT_TRUE(onlooker.sees("rover", [](const auto& rover) { return rover.is_in(link::RunMode::rm2); }));
    EXPECT_THAT(run({"send", "rover", "full_stop", "--station", at}).out, StartsWith("DONE"));
    EXPECT_TRUE(onlooker.sees(
        "rover", [](const auto& rover) { return rover.status.robot && rover.status.robot->stopped; }));
    EXPECT_THAT(run({"send", "rover", "setRM(3)", "--station", at}).err, HasSubstr("RM3 needs"));
    program.signal(SIGTERM);
    const auto end = end_of(program);
    EXPECT_EQ(end.code, 0) << end.err;
}

TEST_F(RobotCli, ReportsABatteryThatIsNotReadAsUnknown) {
    ChildProcess program(
        robot(config_of("2", "name = \"rover\"\nDefaultComMode = 0\n[web]\nlisten = \"127.0.0.1:0\"\n")));
    const std::string line = program.read_line(limit).value_or("");
    ASSERT_THAT(line, StartsWith("rover shows itself at http://127.0.0.1:"));
    std::string at = line.substr(line.find("//") + 2);
    at.pop_back();
    Onlooker onlooker(at);
    const auto sees_level = [&](bool known) {
        return onlooker.sees("rover", [&](const auto& rover) {
            return rover.status.robot && std::isnan(rover.status.robot->battery.level) != known;
        });
    };
    ASSERT_TRUE(sees_level(true));
    EXPECT_THAT(run({"send", "rover", "disable_sensor", "sensor=battery", "--station", at}).out,
                StartsWith("DONE"));
    ASSERT_TRUE(sees_level(false));
    EXPECT_THAT(run({"robots", "--station", at}).out, HasSubstr(" unknown "));
    EXPECT_THAT(run({"robots", "--json", "--station", at}).out, HasSubstr("\"battery\":null"));
    EXPECT_THAT(run({"send", "rover", "status", "--station", at}).out, HasSubstr("battery unknown"));
    program.signal(SIGTERM);
    EXPECT_EQ(end_of(program).code, 0);
}

TEST_F(RobotCli, AnswersAndIsOffForGoodInRm0) {
    ChildProcess program(robot(config_of("2")));
    const std::uint16_t port = port_of(program);
    ASSERT_NE(port, 0);
    EXPECT_THAT(tell(port, "status"), ElementsAre(StartsWith("DONE: RM2")));
    EXPECT_THAT(tell(port, "move_forward"), ElementsAre(StartsWith("WRONG_MODE")));
    EXPECT_THAT(tell(port, "full_stop"), ElementsAre(StartsWith("DONE")));
    EXPECT_THAT(tell(port, "setRM(0)"), ElementsAre(StartsWith("ACCEPTED"), StartsWith("DONE")));
    EXPECT_EQ(end_of(program).code, status_of_rm0);
}

TEST_F(RobotCli, RebootsAFreshImageThatReadsItsConfigurationAgain) {
    const std::string file = config_of("2", "max_reboots = 1\n");
    ChildProcess program(robot(file));
    std::uint16_t port = port_of(program);
    ASSERT_NE(port, 0);
    EXPECT_THAT(tell(port, "set_parameter name=telemetry.rate value=33"),
                ElementsAre("DONE: it is in effect"));
    config_of("1", "max_reboots = 1\nwait_time = 100\n");
    const pid_t before = program.id();
    EXPECT_THAT(tell(port, "setRM(5)"), ElementsAre(StartsWith("ACCEPTED"), StartsWith("DONE")));
    const auto line = program.read_line(limit);
    ASSERT_TRUE(line);
    EXPECT_THAT(*line, StartsWith("cbot is ready in RM1"));
    EXPECT_EQ(program.id(), before);
    port = static_cast<std::uint16_t>(std::stoi(line->substr(line->rfind(' '))));
    EXPECT_THAT(tell(port, "setRM(5)"), ElementsAre(StartsWith("BUSY: it was rebooted too often")));
    program.signal(SIGINT);
    EXPECT_EQ(end_of(program).code, 0);
}

TEST_F(RobotCli, TellsItsSupervisorThatItIsReadyAndAlive) {
    const std::string path = scratch / "notify";
    const NotifySocket supervisor(path);
    ChildProcess program(robot(config_of("2")), {"NOTIFY_SOCKET=" + path, "WATCHDOG_USEC=5000000"});
    EXPECT_THAT(supervisor.next(), StartsWith("READY=1\nSTATUS=RM2"));
    EXPECT_EQ(supervisor.next(), "WATCHDOG=1");
    EXPECT_EQ(supervisor.next(), "WATCHDOG=1");
    program.signal(SIGTERM);
    std::string last = supervisor.next();
    while (last == "WATCHDOG=1") last = supervisor.next();
    EXPECT_THAT(last, StartsWith("STOPPING=1"));
    EXPECT_EQ(end_of(program).code, 0);
}

TEST_F(RobotCli, DrivesOnWhileItsSupervisorHangs) {
    const std::string path = scratch / "notify";
    const NotifySocket supervisor(path);
    ChildProcess program(robot(config_of("2")), {"NOTIFY_SOCKET=" + path, "WATCHDOG_USEC=5000000"});
    const std::uint16_t port = port_of(program);
    ASSERT_THAT(supervisor.next(), StartsWith("READY=1"));
    supervisor.fill(path);
    comes_true([] { return false; }, 3s);  // longer than main may be silent
    EXPECT_THAT(tell(port, "status").back(), Not(HasSubstr("stopped by")));
    std::string text = supervisor.next();
    while (text == "X=1") text = supervisor.next();
    EXPECT_EQ(text, "WATCHDOG=1") << "once it receives again";
    program.signal(SIGTERM);
    EXPECT_EQ(end_of(program).code, 0);
}

TEST_F(RobotCli, SaysEverythingThatIsWrongWithItsConfiguration) {
    const std::string bad = config("DefaultRunMod = 2\nSendPort = 99999\n[safty]\n");
    const auto end = run({"robot", "--config", bad, "--check-config"});
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.err, AllOf(HasSubstr(bad + ":1:1: there is no key `DefaultRunMod`; did you mean"),
                               HasSubstr(bad + ":2:12: SendPort is 99999"),
                               HasSubstr(bad + ":3:2: there is no section `safty`; did you mean `safety`?")));
    EXPECT_EQ(run({"robot", "--config", bad}).code, 1);
    EXPECT_EQ(run({"robot"}).code, 2);
    EXPECT_EQ(run({"robot", "--config", scratch / "missing.toml"}).code, 1);
    EXPECT_EQ(run({"robot", "--config", scratch.path()}).code, 1);
    EXPECT_EQ(run({"robot", "--config", config(std::string("\0\xff\x01", 3))}).code, 1);
    EXPECT_EQ(
        run({"robot", "--config", config("log = \"/proc/nowhere/robot.log\"\nDefaultRunMode = 2\n")}).code,
        1);
}

TEST_F(RobotCli, PrintsItsConfigurationAndItsCommands) {
    const std::string good = config("SendPort = 7000\n");
    EXPECT_THAT(run({"robot", "--config", good, "--print-config"}).out,
                AllOf(HasSubstr("SendPort = 7000                          # " + good + ":1\n"),
                      HasSubstr("[telemetry]\nrate = 10                                # default\n")));
    EXPECT_THAT(run({"robot", "--commands"}).out,
                AllOf(HasSubstr("100  full_stop"), HasSubstr("safety.max_time_to_live, 2 s by default")));
    EXPECT_EQ(run({"robot", "--config", good, "--check-config"}).code, 0);
}

TEST_F(RobotCli, TestsItselfWithoutMoving) {
    const auto good = run({"robot", "--config", config_of("3"), "--self-test"});
    EXPECT_EQ(good.code, 0) << good.err;
    EXPECT_EQ(good.out, "everything works\n");
    const auto bad =
        run({"robot", "--config", config_of("2", "[ai]\ntree = \"" + scratch.write("bad.json", "{") + "\"\n"),
             "--self-test"});
    EXPECT_EQ(bad.code, 1);
    EXPECT_THAT(bad.err, HasSubstr("bad.json:1:"));
}

TEST_F(RobotCli, StandsStillWithATreeThatFailsItsCheckOrIsMissing) {
    for (const std::string& tree : {scratch.write("bad.json", "{"), (scratch / "missing.json").string()}) {
        ChildProcess program(robot(config_of("2", "[ai]\ntree = \"" + tree + "\"\n")));
        const std::uint16_t port = port_of(program);
        ASSERT_NE(port, 0);
        EXPECT_THAT(tell(port, "status"),
                    ElementsAre(AllOf(StartsWith("DONE: RM2"), HasSubstr("moves HALT"), HasSubstr(tree),
                                      HasSubstr("behaviors replaced by one that stands still"))));
        program.signal(SIGTERM);
        EXPECT_EQ(end_of(program).code, 0);
    }
}

TEST_F(RobotCli, EndsAtOnceWhenConfiguredTo) {
    EXPECT_EQ(run({"robot", "--config", config_of("0")}).code, status_of_rm0);
}

TEST_F(RobotCli, LetsCubesAndBehaviorsBeAsked) {
    ChildProcess program(robot(config_of("2")));
    const std::string at = "127.0.0.1:" + std::to_string(port_of(program));
    const auto tree = run({"tree", "ask", "show", "--plain", "--robot", at});
    EXPECT_EQ(tree.code, 0) << tree.err;
    EXPECT_FALSE(tree.out.empty());
    EXPECT_EQ(run({"cubes", "ask", "status", "--plain", "--robot", at}).code, 0);
    const auto wrong = run({"cubes", "ask", "statsu", "--plain", "--robot", at});
    EXPECT_EQ(wrong.code, 1);
    EXPECT_THAT(wrong.err, StartsWith("BAD_ARGUMENT"));
    program.signal(SIGTERM);
    EXPECT_EQ(end_of(program).code, 0);
    EXPECT_EQ(run({"tree", "ask", "show", "--plain", "--robot", at}).code, 1);
}

TEST_F(RobotCli, SavesARecordingOfItsTicks) {
    ChildProcess program(robot(config_of("2")));
    const std::string at = "127.0.0.1:" + std::to_string(port_of(program));
    const std::string file = scratch / "run.behavior";
    const auto saved = run({"tree", "record", file, "--plain", "--robot", at});
    EXPECT_EQ(saved.code, 0) << saved.err;
    EXPECT_THAT(saved.out, StartsWith(file + ": "));
    const auto replayed = run({"tree", "replay", file});
    EXPECT_EQ(replayed.code, 0) << replayed.err;
    EXPECT_THAT(run({"tree", "record", (scratch / "no/such/folder").string(), "--plain", "--robot", at}).err,
                StartsWith("caribou tree record: "));
    program.signal(SIGTERM);
    EXPECT_EQ(end_of(program).code, 0);
    const auto gone = run({"tree", "record", file, "--plain", "--robot", at});
    EXPECT_EQ(gone.code, 1);
    EXPECT_THAT(gone.err, StartsWith("caribou tree record: the robot at " + at));
    EXPECT_EQ(run({"tree", "record", file, "--plain", "--robot", "10.0.0.1:9601"}).code, 2);
}

TEST_F(RobotCli, ReadsNoFileByAPathThatComesOverTheLink) {
    const std::string secret = scratch.write("secret.json", R"({"secret": "xyzzy"})");
    std::filesystem::create_directory(scratch / "etc");
    const std::string file =
        scratch.write("etc/robot.toml", "DefaultRunMode = 2\nReceivePort = 0\nlog = \"" +
                                            (scratch / "robot.log").string() + "\"\n[link]\nplain = true\n");
    ChildProcess program(robot(file));
    const std::uint16_t port = port_of(program);
    ASSERT_NE(port, 0);
    for (const std::string& path : {secret, std::string("../secret.json"), std::string("/etc/passwd")})
        EXPECT_THAT(tell(port, "cubes line=\"lights " + path + "\""),
                    ElementsAre(AllOf(StartsWith("BAD_ARGUMENT"), HasSubstr("is not a valid file name"))));
    EXPECT_THAT(run({"cubes", "ask", std::string(2001, 'x'), "--plain", "--robot",
                     "127.0.0.1:" + std::to_string(port)})
                    .err,
                HasSubstr("line has 2001 bytes; at most 2000 are allowed"));
}

TEST_F(RobotCli, NeedsANameThatCanNameAFile) {
    const auto end = run({"robot", "--check-config", "--config", config_of("2", "name = \"../rover\"\n")});
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.err, HasSubstr("`../rover` is not a valid name"));
}

TEST_F(RobotCli, HostsABusOnWhichItCanBeWatched) {
    ChildProcess program(robot(config_of("2", "[bus]\nhost = true\naddress = \"127.0.0.1:0\"\n")));
    ASSERT_NE(port_of(program), 0);
    std::stringstream log;
    log << std::ifstream(scratch / "robot.log").rdbuf();
    const std::string text = log.str();
    const auto at = text.find("the bus is at 127.0.0.1:");
    ASSERT_NE(at, std::string::npos) << text;
    const std::string port = std::to_string(std::stoi(text.substr(at + 24)));
    const auto watched = run({"watch", "CBOT_RUN_MODE", "--port", port, "--count", "1"});
    EXPECT_THAT(watched.out, HasSubstr("RM2")) << watched.err;
    program.signal(SIGTERM);
    EXPECT_EQ(end_of(program).code, 0);
}

TEST_F(RobotCli, SaysThatABuildTreeIsNotInstalled) {
    const auto end = run({"robot", "--check-install"});
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_THAT(end.out, HasSubstr("this program was not installed"));
}

TEST_F(RobotCli, ChecksTheWiringAlongWithTheConfiguration) {
    const std::string wiring = scratch.write("wiring.toml", "[gpio]\nenabel = 2\n");
    const auto end = run({"robot", "--check-config", "--config",
                          config_of("2", "[body]\nkind = \"linux\"\nfile = \"" + wiring + "\"\n")});
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.err, HasSubstr("wiring.toml:2:1: `gpio` has no `enabel`; did you mean `enable`?"));
}

TEST_F(RobotCli, IsRefusedByTheCheckIfTheStartRefusesIt) {
    const std::string trial = scratch.write(
        "trial.json",
        R"({"base": "a", "behaviors": [{"class": "act", "id": "a", "action": {"say": "hello"}}]})");
    for (const auto& [text, why] :
         {std::pair(std::string("name = \"has space/slash\"\n"), "robot.toml:1:8: name: `has space/slash`"),
          {"[ai]\ntree = \"nofile.json\"\n", "ai.tree: cannot open nofile.json"},
          {"[ai]\ntree = \"" + trial + "\"\n", "trial.json:1:"},
          {"[bus]\nhost = true\naddress = \"0.0.0.0:9000\"\n", "robot.toml:3:11: bus.host listens on this"},
          {"[body]\nkind = \"sim\"\nfile = \"nofile.toml\"\n", "nofile.toml"}}) {
        const std::string named = scratch.write("robot.toml", text);
        for (const bool only_check : {true, false}) {
            Words words{"robot", "--config", named};
            if (only_check) words.emplace_back("--check-config");
            // At the start an invalid tree is replaced by one that does not move.
            if (!only_check && text.starts_with("[ai]")) continue;
            const auto end = run(words);
            EXPECT_EQ(end.code, 1) << text;
            EXPECT_THAT(end.err, HasSubstr(why)) << text;
        }
    }
    EXPECT_EQ(run({"tree", "check", trial}).code, 1);
    EXPECT_EQ(run({"tree", "check", trial, "--trial"}).code, 0);
}

TEST_F(RobotCli, ReportsEverythingThatAConfigurationLacksAtOnce) {
    const std::string named = config(
        "[body]\nfile = \"nofile.toml\"\n[camera]\ncommand = [\"no-camera\"]\n[ai]\n"
        "tree = \"nofile.json\"\n");
    const auto end = run({"robot", "--config", named, "--check-config"});
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.err,
                AllOf(HasSubstr(named + ":2:8: body.file: "), HasSubstr(named + ":4:11: camera.command"),
                      HasSubstr(named + ":6:8: ai.tree: ")));
}

TEST_F(RobotCli, IsNotRebootedIntoAConfigurationWithWhichItWouldNotStart) {
    ChildProcess program(robot(config_of("2")));
    const std::uint16_t port = port_of(program);
    ASSERT_NE(port, 0);
    const auto is_refused = [&](const std::string& why) {
        EXPECT_THAT(tell(port, "set_run_mode mode=5"),
                    ElementsAre(AllOf(HasSubstr("FAILED: the robot would not start again"), HasSubstr(why))));
    };
    const std::string wiring = wiring_without_chip();
    for (const auto& [more, why] :
         {std::pair<std::string, std::string>("[body]\nfile = \"nofile.toml\"\n", "nofile.toml"),
          {"name = \"another\"\n", "only a new start of the program can rename"},
          {"[body]\nkind = \"linux\"\nfile = \"" + wiring + "\"\n",
           "robot.toml:6:8: body.file: /dev/no_chip"},
          {"[body]\nkind = \"driver\"\ncommand = [\"true\"]\nwatchdog = \"/dev/no_dog\"\n",
           "robot.toml:7:12: body.watchdog: /dev/no_dog"},
          {"[telemetry]\nsensors_off = [\"lidarr\"]\n", "no sensor `lidarr`; did you mean `lidar`?"}}) {
        config_of("2", more);
        is_refused(why);
    }
    config("log = \"/proc/nowhere/robot.log\"\nDefaultRunMode = 2\n[link]\nplain = true\n");
    is_refused("robot.toml:1:7: log: /proc/nowhere");
    config("DefaultRunMode = 2\n[link]\nkeys = \"/proc/nowhere/keys\"\n");
    is_refused("robot.toml:3:8: link.keys: /proc/nowhere");
    const std::string pipe = (scratch / "pipe").string();
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    config_of("2", "[ai]\ntree = [\"" + pipe + "\"]\n");
    is_refused("ai.tree: " + pipe + " is not a regular file");
    config("log = \"" + pipe + "\"\nDefaultRunMode = 2\n[link]\nplain = true\n");
    is_refused("robot.toml:1:7: log: " + pipe + " is a pipe that nobody reads");
    EXPECT_THAT(tell(port, "status"), ElementsAre(StartsWith("DONE: RM2")));
}

TEST_F(RobotCli, StartsStoppedAndLockedWithoutAFolderForItsState) {
    const std::string name = "nowhere" + std::to_string(::getpid());
    const std::string file =
        config("name = \"" + name + "\"\nDefaultRunMode = 2\nReceivePort = 0\n[link]\nplain = true\n" +
               "record = \"/proc/nowhere/robot.link\"\n");
    ChildProcess program(robot(file));
    const std::uint16_t port = port_of(program);
    ASSERT_NE(port, 0);
    EXPECT_THAT(tell(port, "status brief=true"), ElementsAre(HasSubstr(" stopped")));
    const auto second = run({"robot", "--config", file});
    EXPECT_EQ(second.code, 1);
    EXPECT_THAT(second.err, HasSubstr("robot " + name + " is already running (pid "));
    tell(port, "release_stop");
    program.signal(SIGTERM);
    EXPECT_EQ(end_of(program).code, 0);
    const std::string state = "/proc/nowhere/" + name;
    std::filesystem::remove("/dev/shm/caribou-lock-" + sha256_of(state + ".lock").substr(0, 32));
}

TEST_F(RobotCli, ChecksTheConfigurationAtThePlaceOfTheKey) {
    const std::string wiring = wiring_without_chip();
    const std::string driver = "[link]\nplain = true\n[body]\nkind = \"driver\"\ncommand = [\"true\"]\n";
    for (const auto& [text, why] :
         {std::pair<std::string, std::string>(driver + "\n\ndevice = \"/dev/none\"\n",
                                              ":8:10: body.device: "),
          {driver + "watchdog = \"/dev/none\"\n", ":6:12: body.watchdog: /dev/none: no such file"},
          {driver + "heartbeat = \"/dev/none\"\n", ":6:13: body.heartbeat: /dev/none"},
          {"[body]\nkind = \"linux\"\nfile = \"" + wiring + "\"\n", ":3:8: body.file: /dev/no_chip"},
          {"log = \"/proc/nowhere/robot.log\"\n", ":1:7: log: /proc/nowhere: no such file"},
          {"[link]\nkeys = \"/proc/nowhere/keys\"\n", ":2:8: link.keys: /proc/nowhere"},
          {"[telemetry]\nsensors_off = [\"lidarr\"]\n",
           ":2:15: telemetry.sensors_off: the body has no sensor `lidarr`; did you mean `lidar`?"}}) {
        const std::string named = config(text);
        const auto end = run({"robot", "--config", named, "--check-config"});
        EXPECT_EQ(end.code, 1) << text;
        EXPECT_THAT(end.err, HasSubstr(named + why)) << text;
    }
}

TEST_F(RobotCli, LeavesNothingBehindWhenItChecksTheConfiguration) {
    const std::string log = (scratch / "logs" / "robot.log").string();
    const std::string keys = (scratch / "keys").string();
    const auto end = run({"robot", "--check-config", "--config",
                          config("log = \"" + log + "\"\n[link]\nkeys = \"" + keys + "\"\n")});
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_FALSE(std::filesystem::exists(scratch / "logs"));
    EXPECT_FALSE(std::filesystem::exists(keys));
}

TEST_F(RobotCli, DoesNotStartWithoutASensorThatItIsToLeaveOut) {
    const auto end = run({"robot", "--config", config_of("2", "[telemetry]\nsensors_off = [\"lidarr\"]\n")});
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.err, HasSubstr("telemetry.sensors_off: the body has no sensor `lidarr`"));
}

TEST_F(RobotCli, IsNotReleasedByACommandThatTheBusHasStored) {
    ChildProcess broker(command({"db", "--port", "0"}));
    const auto line = broker.read_line(limit);
    ASSERT_TRUE(line);
    const std::string port = line->substr(line->rfind(':') + 1);
    const std::string file =
        config_of("2", "[bus]\njoin = true\ndrive = true\naddress = \"127.0.0.1:" + port + "\"\n");
    const auto start = [&] {
        auto program = std::make_unique<ChildProcess>(robot(file));
        EXPECT_NE(port_of(*program), 0);
        return program;
    };
    const auto value = [&](const char* variable) {
        return run({"scope", "--once", "--port", port, variable}).out;
    };
    auto program = start();
    ASSERT_TRUE(comes_true([&] { return value("CBOT_RUN_MODE").contains("RM2"); }, 10s));
    EXPECT_EQ(run({"poke", "--port", port, "CBOT_CMD:=full_stop"}).code, 0);
    EXPECT_TRUE(comes_true([&] { return value("CBOT_STOPPED").contains("true"); }, 10s));
    program->signal(SIGKILL);
    ASSERT_TRUE(program->wait(limit));
    EXPECT_EQ(run({"poke", "--port", port, "CBOT_CMD:=release_stop"}).code, 0);
    program = start();
    EXPECT_TRUE(comes_true([&] { return value("CBOT_ANSWER").contains("EXPIRED"); }, 10s));
    EXPECT_THAT(value("CBOT_STOPPED"), HasSubstr("true"));
    EXPECT_TRUE(comes_true(
        [&] {
            run({"poke", "--port", port, "CBOT_CMD:=release_stop"});
            return value("CBOT_ANSWER").contains("NOT_ALLOWED");
        },
        10s))
        << "nor does any program release a stop";
    EXPECT_THAT(value("CBOT_STOPPED"), HasSubstr("true"));
}

}  // namespace
}  // namespace caribou::tests
