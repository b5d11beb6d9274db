// Process tests of `caribou robot`: its users, its station and its supervisor.

#include <sys/socket.h>
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

#include "child/onlooker.hpp"
#include "child/robot_console.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
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
    config_of("2", "max_reboots = 1\nname = \"again\"\n");
    const pid_t before = program.id();
    EXPECT_THAT(tell(port, "setRM(5)"), ElementsAre(StartsWith("ACCEPTED"), StartsWith("DONE")));
    const auto line = program.read_line(limit);
    ASSERT_TRUE(line);
    EXPECT_THAT(*line, StartsWith("again is ready in RM2"));
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

TEST_F(RobotCli, SaysEverythingThatIsWrongWithItsConfiguration) {
    const std::string bad = config("DefaultRunMod = 2\nSendPort = 99999\n[safty]\n");
    const auto end = run({"robot", "--config", bad, "--check-config"});
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.err,
                AllOf(HasSubstr(bad + ":1: error: there is no key `DefaultRunMod`; did you mean"),
                      HasSubstr(bad + ":2: error: SendPort is 99999"),
                      HasSubstr(bad + ":3: error: there is no section `safty`; did you mean `safety`?")));
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
    EXPECT_THAT(run({"robot", "--commands"}).out, HasSubstr("100  full_stop"));
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
    for (const auto& [text, why] : {std::pair(std::string("name = \"has space/slash\"\n"),
                                              "robot.toml:1: error: name: `has space/slash`"),
                                    {"[ai]\ntree = \"nofile.json\"\n", "ai.tree: cannot open nofile.json"},
                                    {"[ai]\ntree = \"" + trial + "\"\n", "trial.json:1:"},
                                    {"[bus]\nhost = true\naddress = \"0.0.0.0:9000\"\n",
                                     "robot.toml:3: error: bus.host listens on this"},
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

}  // namespace
}  // namespace caribou::tests
