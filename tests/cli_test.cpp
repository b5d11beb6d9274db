// The output and exit status of the program.

#include <signal.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <test_paths.hpp>
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
using testing::StartsWith;

/// A broker that runs until it is stopped.
class Db {
public:
    explicit Db(const Words& words) : program(command(words)) {
        if (auto line = program.read_line(limit)) first_line = *line;
    }
    /// Returns the text after ` at ` in a line.
    static std::string place_in(const std::string& line) {
        const auto at = line.rfind(" at ");
        return at == std::string::npos ? "" : line.substr(at + 4);
    }
    ChildProcess::End stop(int signal = SIGTERM) {
        program.signal(signal);
        auto end = program.wait(limit);
        return end ? std::move(*end) : ChildProcess::End{-1, "", "it does not end"};
    }

    ChildProcess program;
    std::string first_line;
};

/// Returns whether a client can connect to a broker there.
bool can_connect(const std::string& place) {
    const auto address = Address::parse(place);
    if (!address) return false;
    NullLog log;
    EventLoop loop;
    SocketNetwork network(loop, log);
    bus::Client client(loop, network, {.name = "cli_test", .broker = *address});
    return client.start() && loop.run_until([&] { return client.connected(); }, limit);
}

TEST(Cli, PrintsHelpWhenCalledBare) {
    const auto end = run({});
    EXPECT_EQ(end.code, 0);
    EXPECT_THAT(end.out, AllOf(HasSubstr("caribou"), HasSubstr("\nBus:\n"), HasSubstr("db"),
                               HasSubstr("Run the broker")));
    EXPECT_EQ(end.err, "");
}

TEST(Cli, TellsTheOptionsOfACommand) {
    const auto end = run({"db", "--help"});
    EXPECT_EQ(end.code, 0);
    EXPECT_THAT(end.out,
                AllOf(HasSubstr("--port"), HasSubstr("--moos_port"), HasSubstr("backlog_max=32MiB")));
}

TEST(Cli, TellsItsVersion) {
    const auto end = run({"--version"});
    EXPECT_EQ(end.code, 0);
    EXPECT_THAT(end.out, StartsWith("caribou "));
}

TEST(Cli, GuessesWhatAWrongWordMeant) {
    const auto option = run({"db", "--prot", "1"});
    EXPECT_EQ(option.code, 2);
    EXPECT_THAT(option.err, AllOf(HasSubstr("`--prot`"), HasSubstr("did you mean `--port`?")));
    EXPECT_EQ(option.out, "");
    const auto command = run({"bd"});
    EXPECT_EQ(command.code, 2);
    EXPECT_THAT(command.err, HasSubstr("did you mean `db`?"));
    EXPECT_EQ(run({"db", "a", "b", "c"}).err,
              "caribou db: error: unexpected argument `c`.\nSee `caribou db --help`.\n");
    EXPECT_THAT(run({"robot", "rover.toml"}).err, HasSubstr("did you mean `--config rover.toml`?"));
}

TEST(Cli, RefusesAPortThatIsNone) {
    for (const char* port : {"65536", "-1", "x", ""}) {
        const auto end = run({"db", "--port", port});
        EXPECT_EQ(end.code, 2) << port;
        EXPECT_THAT(end.err, HasSubstr("--port")) << port;
    }
}

TEST(Cli, RefusesToBeReachedFromElsewhereUnlessToldSo) {
    const auto end = run({"db", "--port", "0", "--listen", "0.0.0.0"});
    EXPECT_EQ(end.code, 2);
    EXPECT_THAT(end.err, AllOf(HasSubstr("0.0.0.0"), HasSubstr("--insecure-lan")));

    Db told({"db", "--port", "0", "--listen", "0.0.0.0", "--insecure-lan"});
    EXPECT_THAT(told.first_line, HasSubstr(" at 0.0.0.0:"));
    EXPECT_EQ(told.stop().code, 0);
}

TEST(Cli, PrintsThePortItWasGiven) {
    Db db({"db", "--port", "0", "--community", "alpha"});
    EXPECT_THAT(db.first_line, StartsWith("caribou db: community alpha at 127.0.0.1:"));
    EXPECT_FALSE(db.first_line.ends_with(":0"));
    EXPECT_TRUE(can_connect(Db::place_in(db.first_line)));
    EXPECT_EQ(db.stop().code, 0);
}

TEST(Cli, SaysWhenThePortIsTaken) {
    Db first({"db", "--port", "0"});
    const std::string place = Db::place_in(first.first_line);
    const auto second = run({"db", "--port", place.substr(place.rfind(':') + 1)});
    EXPECT_EQ(second.code, 1);
    EXPECT_THAT(second.err, AllOf(StartsWith("caribou db: "), HasSubstr(place), HasSubstr("in use")));
}

TEST(Cli, EndsInGoodOrderOnASignal) {
    for (const int signal : {SIGTERM, SIGINT}) {
        Db db({"db", "--port", "0"});
        ASSERT_NE(db.first_line, "");
        const auto end = db.stop(signal);
        EXPECT_EQ(end.code, 0) << end.err;
        EXPECT_THAT(end.err, HasSubstr("ended by a signal"));
    }
}

TEST(Cli, TakesTheOptionsOfMoosDb) {
    Db db({"db", "--moos_port=0", "--moos_community=beta", "--moos_time_warp=2", "--moos_timeout=3",
           "--warning_latency=20", "--response=p*:20,5", "--tcpnodelay", "--audit_port=9020", "-s", "--dns",
           "--moos_suicide_disable", "--print_heart_beat", "--moos_no_colour", "--moos_file=x.moos"});
    EXPECT_THAT(db.first_line, HasSubstr("community beta at 127.0.0.1:"));
    const auto end = db.stop();
    EXPECT_EQ(end.code, 0);
    EXPECT_THAT(end.err, AllOf(HasSubstr("--dns has no effect here"), HasSubstr("by their addresses")));
    for (const char* const option : {"--moos_print_version", "--version"})
        EXPECT_EQ(run({"db", option}).out, run({"--version"}).out);
}

TEST(Cli, IsTheBrokerUnderTheNameOfTheOriginal) {
    const TemporaryFolder folder;
    const std::string mission = folder / "alpha.moos";
    std::ofstream(mission) << "ServerHost = localhost\nServerPort = 0\nCommunity = alpha\n";
    const std::string moosdb = folder / "MOOSDB";
    std::filesystem::create_symlink(program_path(), moosdb);
    // The command line used by pAntler.
    ChildProcess broker({moosdb, mission, "MOOSDB"});
    const auto line = broker.read_line(limit);
    ASSERT_TRUE(line) << end_of(broker).err;
    EXPECT_THAT(*line, StartsWith("caribou db: community alpha at 127.0.0.1:"));
    broker.signal(SIGTERM);
    const auto end = end_of(broker);
    EXPECT_EQ(end.code, 0);
    EXPECT_THAT(end.err, testing::Not(HasSubstr("ServerHost")));
}

TEST(Cli, KeepsValuesInADirectoryOfItsOwn) {
    const TemporaryFolder folder;
    const std::string data = folder / "values";
    Db db({"db", "--port", "0", "--data", data});
    const auto second = run({"db", "--port", "0", "--data", data});
    EXPECT_EQ(second.code, 1);
    EXPECT_THAT(second.err, HasSubstr("another program keeps its values in"));
    EXPECT_EQ(db.stop().code, 0);
    EXPECT_EQ(run({"db", "--port", "0", "--durability", "always"}).code, 2);
    EXPECT_EQ(run({"db", "--port", "0", "--data", data, "--durability", "sometimes"}).code, 2);
}

TEST(Cli, OpensItsWindowsWhereItWasTold) {
    const TemporaryFolder folder;
    const std::string events = folder / "events";
    Db db({"db", "--port", "0", "--webserver_port=0", "--event_log=" + events});
    const auto line = db.program.read_line(limit);
    ASSERT_TRUE(line);
    EXPECT_THAT(*line, StartsWith("caribou db: web page at http://127.0.0.1:"));
    EXPECT_TRUE(can_connect(Db::place_in(db.first_line)));
    EXPECT_EQ(db.stop().code, 0);
    std::ifstream in(events);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    EXPECT_THAT(text, HasSubstr("Z connected=cli_test\n"));
    const auto wrong = run({"db", "--port", "0", "--event_log=" + events + "/x"});
    EXPECT_EQ(wrong.code, 1);
    EXPECT_THAT(wrong.err, HasSubstr("cannot write"));
}

TEST(Cli, ListensOnAUnixSocketToo) {
    const TemporaryFolder folder;
    const std::string path = folder / "db.sock";
    Db db({"db", "--port", "0", "--unix", path});
    EXPECT_TRUE(can_connect(Db::place_in(db.first_line)));
    const auto second_line = db.program.read_line(limit);
    ASSERT_TRUE(second_line);
    EXPECT_EQ(Db::place_in(*second_line), "unix:" + path);
    EXPECT_TRUE(can_connect("unix:" + path));
    EXPECT_EQ(db.stop().code, 0);
}

TEST(Cli, TakesLimitsAndSaysWhatIsWrongWithThem) {
    Db db({"db", "--port", "0", "--limit", "max_clients=50", "--limit", "backlog_max=64KiB", "--limit",
           "stall_limit=500ms"});
    EXPECT_NE(db.first_line, "");
    EXPECT_EQ(db.stop().code, 0);

    const auto unknown = run({"db", "--port", "0", "--limit", "max_client=5"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_THAT(unknown.err, HasSubstr("did you mean `max_clients`?"));
    const auto no_value = run({"db", "--port", "0", "--limit", "max_clients"});
    EXPECT_EQ(no_value.code, 2);
    EXPECT_THAT(no_value.err, HasSubstr("needs a value"));
    const auto no_number = run({"db", "--port", "0", "--limit", "backlog_max=much"});
    EXPECT_EQ(no_number.code, 2);
    EXPECT_THAT(no_number.err, HasSubstr("`much` is not a size"));
}

TEST(Cli, RefusesNumbersThatMakeNoSense) {
    const std::array<Words, 7> wrong{Words{"--time-warp", "0"},  {"--time-warp", "401"},
                                     {"--timeout", "0"},         {"--response", "p*:soon"},
                                     {"--moos_timeout", "nan"},  {"--time-warp", ""},
                                     {"--warning_latency", "-1"}};
    for (const Words& words : wrong) {
        const auto end = run({"db", "--port", "0", words[0], words[1]});
        EXPECT_EQ(end.code, 2) << words[0] << " " << words[1];
        EXPECT_THAT(end.err, HasSubstr("caribou db: "));
    }
}

}  // namespace
}  // namespace caribou::tests
