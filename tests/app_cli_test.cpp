// Process tests of mission files, launch, share and new.

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/log.hpp"
#include "bus/client.hpp"
#include "child/program.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;

class AppCli : public testing::Test {
protected:
    std::string file(const std::string& name, const std::string& text) { return folder.write(name, text); }

    TemporaryFolder folder;
};

using MissionCli = AppCli;

TEST_F(MissionCli, ChecksAFile) {
    const auto good =
        run({"mission", "check", file("a.moos", "ServerPort = 9000\nProcessConfig = pA\n{\n}\n")});
    EXPECT_EQ(good.code, 0);
    EXPECT_THAT(good.out, HasSubstr("1 global settings, 1 blocks"));
    const auto bad = run({"mission", "check", file("b.moos", "A = ${NOT_SET_ANYWHERE}\n")});
    EXPECT_EQ(bad.code, 1);
    EXPECT_THAT(bad.err, HasSubstr("b.moos:1: error: `${NOT_SET_ANYWHERE}` is neither"));
    const auto keys =
        run({"mission", "check", file("c.moos", "ServerPort = x\nProcessConfig = p\n{\nApTick = 1\n}\n")});
    EXPECT_EQ(keys.code, 1);
    EXPECT_THAT(keys.err,
                AllOf(HasSubstr("c.moos:1: error: ServerPort is `x`"),
                      HasSubstr("c.moos:4: warning: unknown key `ApTick`; did you mean `AppTick`?")));
    EXPECT_EQ(run({"mission", "check", folder / "none.moos"}).code, 1);
    const std::string antler = "ProcessConfig = ANTLER\n{\nRun = pA @ NewConsle = false\nRun = @\n}\n";
    const auto launch = run({"mission", "check", file("d.moos", antler)});
    EXPECT_EQ(launch.code, 1);
    EXPECT_THAT(
        launch.err,
        AllOf(HasSubstr("d.moos:3: warning: `NewConsle` has no effect here; did you mean `NewConsole`?"),
              HasSubstr("d.moos:4: error: `Run = PROGRAM` needs a program")));
    EXPECT_EQ(run({"mission"}).code, 2);
}

TEST_F(MissionCli, TellsTheBrokerWhatTheCommandLineDoesNot) {
    const std::string mission = file("a.moos", "ServerPort = 0\nCommunity = alpha\n");
    ChildProcess db(command({"db", mission}));
    EXPECT_THAT(db.read_line(limit).value_or(""), HasSubstr("community alpha at 127.0.0.1:"));
    ChildProcess other(command({"db", mission, "--community", "beta"}));
    EXPECT_THAT(other.read_line(limit).value_or(""), HasSubstr("community beta at"));
}

TEST_F(MissionCli, SaysWhatABrokerCannotUse) {
    const auto end = run({"db", file("a.moos", "ServerPort = far\n")});
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.err,
                HasSubstr("a.moos:1: error: ServerPort is `far`; expected a whole number from 0 to 65535"));
    EXPECT_THAT(run({"db", folder / "none.moos"}).err, HasSubstr("none.moos: no such file"));
}

using LaunchCli = AppCli;

TEST_F(LaunchCli, RunsProgramsToTheirEndAndTellsWhatFailed) {
    const std::string mission =
        file("m.toml",
             "[[program]]\nname = \"good\"\ncommand = [\"sh\", \"-c\", \"echo hello\"]\n"
             "[[program]]\nname = \"bad\"\ncommand = [\"sh\", \"-c\", \"exit 3\"]\n");
    const auto end = run({"launch", mission});
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.out, AllOf(HasSubstr("good | hello"), HasSubstr("bad  * exited with 3")));
    EXPECT_THAT(end.err, HasSubstr("failed: bad"));
    EXPECT_EQ(run({"launch", file("none.toml", "a = 1\n")}).code, 1);
}

TEST_F(LaunchCli, StartsAnAntlerBlockWithOurBroker) {
    const std::string mission = file("m.moos",
                                     "ServerPort = 0\nCommunity = alpha\n"
                                     "ProcessConfig = ANTLER\n{\nRun = MOOSDB @ NewConsole = false\n}\n");
    ChildProcess launch(command({"launch", mission}));
    EXPECT_THAT(launch.read_line(limit).value_or(""), HasSubstr("MOOSDB * started, process "));
    EXPECT_THAT(launch.read_line(limit).value_or(""), HasSubstr("MOOSDB | caribou db: community alpha at"));
    launch.signal(SIGINT);
    const auto end = launch.wait(limit);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->code, 0) << end->err;
}

/// Returns the number that follows a text.
pid_t number_after(const std::string& line, const std::string& text) {
    const auto at = line.find(text);
    return at == std::string::npos ? -1 : std::stoi(line.substr(at + text.size()));
}

bool ends(pid_t id) {
    const int watch = static_cast<int>(::syscall(SYS_pidfd_open, id, 0));
    if (watch < 0) return true;
    pollfd end{watch, POLLIN, 0};
    const bool ended = ::poll(&end, 1, 30'000) == 1;
    ::close(watch);
    return ended;
}

TEST_F(LaunchCli, LeavesNoOrphansHoweverItEnds) {
    const std::string mission =
        file("m.toml",
             "[launch]\ngrace = 0.2\n[[program]]\nname = \"deaf\"\ncommand = [\"sh\", \"-c\", "
             "\"trap '' TERM; echo ready; while :; do sleep 1000; done\"]\n");
    for (const int signal : {SIGTERM, SIGINT, SIGKILL}) {
        ChildProcess launch(command({"launch", mission}));
        const pid_t deaf = number_after(launch.read_line(limit).value_or(""), "process ");
        ASSERT_GT(deaf, 0);
        EXPECT_THAT(launch.read_line(limit).value_or(""), HasSubstr("ready"));
        launch.signal(signal);
        const auto end = launch.wait(limit);
        ASSERT_TRUE(end);
        EXPECT_EQ(end->code, signal == SIGKILL ? 128 + SIGKILL : 1);
        EXPECT_TRUE(ends(deaf)) << signal;
    }
}

using NewCli = AppCli;

TEST_F(NewCli, WritesAnAppAndSparesWhatIsThere) {
    const std::string where = folder / "pDeep";
    const auto made = run({"new", "app", "pDeep", "--folder", where});
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_TRUE(std::filesystem::exists(folder / "pDeep" / "pDeep_test.cpp"));
    EXPECT_EQ(run({"mission", "check", where + "/pDeep.moos"}).code, 0);
    EXPECT_THAT(run({"launch", "--dry-run", where + "/pDeep.moos"}).out, HasSubstr("pDeep: build/pDeep "));
    const auto again = run({"new", "app", "pDeep", "--folder", where});
    EXPECT_EQ(again.code, 1);
    EXPECT_THAT(again.err, HasSubstr("is there already"));
    const auto wrong = run({"new", "app", "../x"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("`../x` cannot name an app"));
}

using ShareCli = AppCli;

TEST_F(ShareCli, CarriesValuesBetweenTwoBrokers) {
    ChildProcess alpha(command({"db", "--port", "0", "--community", "alpha"}));
    ChildProcess shore(command({"db", "--port", "0", "--community", "shore"}));
    const auto place = [](ChildProcess& db) {
        const std::string line = db.read_line(limit).value_or("");
        return Address::parse(line.substr(line.rfind(' ') + 1)).value_or(Address{});
    };
    const Address at_alpha = place(alpha);
    const Address at_shore = place(shore);
    const std::string config =
        file("s.toml", "[[community]]\nname = \"alpha\"\nport = " + std::to_string(at_alpha.port) +
                           "\n[[community]]\nname = \"shore\"\nport = " + std::to_string(at_shore.port) +
                           "\n[[share]]\nfrom = \"alpha\"\nto = \"shore\"\nvariables = "
                           "[\"NAV_*\"]\nas = \"ALPHA_*\"\n");
    ChildProcess share(command({"share", "--config", config}));
    NullLog log;
    EventLoop loop;
    SocketNetwork network(loop, log);
    bus::Client writer(loop, network, {.name = "writer", .broker = at_alpha});
    bus::Client reader(loop, network, {.name = "reader", .broker = at_shore});
    std::optional<wire::Message> got;
    reader.on_mail("ALPHA_X", [&](const wire::MessageView& message) { got = wire::own(message); });
    ASSERT_TRUE(reader.register_variable("ALPHA_X"));
    ASSERT_TRUE(writer.notify("NAV_X", 4.5));
    ASSERT_TRUE(reader.start() && writer.start());
    ASSERT_TRUE(loop.run_until([&] { return got.has_value(); }, limit));
    EXPECT_EQ(got->value, 4.5);
    EXPECT_EQ(got->community, "alpha");
    EXPECT_EQ(got->source, "writer");
    share.signal(SIGTERM);
    const auto end = share.wait(limit);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->code, 0);
    EXPECT_THAT(end->err, HasSubstr("copied 1 values"));
    EXPECT_EQ(run({"share", "--config", file("w.toml", "[[comunity]]\nname = \"a\"\n")}).code, 1);
}

}  // namespace
}  // namespace caribou::tests
