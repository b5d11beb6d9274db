// Process tests of the command-line tools: the real program against a real broker.

#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <test_paths.hpp>
#include "child/program.hpp"
#include "child/terminal_process.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

class Tools : public testing::Test {
protected:
    Tools() : db(command({"db", "--port", "0", "--quiet"})) {
        const std::string line = db.read_line(limit).value_or(":0");
        port = line.substr(line.rfind(':') + 1);
    }

    Words at_broker(Words words) const {
        words.insert(words.end(), {"--port", port});
        return command(words);
    }
    ChildProcess::End run(const Words& words) const {
        ChildProcess program(at_broker(words));
        return end_of(program);
    }
    void poke(const Words& values) const {
        Words words{"poke"};
        words.insert(words.end(), values.begin(), values.end());
        const auto end = run(words);
        ASSERT_EQ(end.code, 0) << end.err;
    }
    std::string path(const std::string& name) const { return folder / name; }
    std::string read(const std::string& name) const {
        std::ifstream file(path(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }
    void write(const std::string& name, std::string_view text) const { std::ofstream(path(name)) << text; }

    ChildProcess db;
    std::string port;
    TemporaryFolder folder;
};

TEST(ToolsWithoutBroker, SayThatNoBrokerAnswers) {
    // A port that a broker used a moment ago, so that it is free now.
    std::string port;
    {
        ChildProcess db(command({"db", "--port", "0", "--quiet"}));
        const std::string line = db.read_line(limit).value_or(":9");
        port = line.substr(line.rfind(':') + 1);
    }
    for (const Words& words :
         {Words{"poke", "X=1"}, {"watch", "X"}, {"clients"}, {"ping"}, {"record", "-o", "never"}}) {
        Words all = words;
        all.insert(all.end(), {"--port", port});
        const auto end = tests::run(all);
        EXPECT_EQ(end.code, 1) << words[0];
        EXPECT_THAT(end.err, AllOf(StartsWith("caribou " + words[0] +
                                              ": error: no broker answers at 127.0.0.1:" + port),
                                   HasSubstr("caribou db")));
        EXPECT_EQ(end.out, "") << words[0];
    }
    EXPECT_FALSE(std::filesystem::exists("never.alog"));
}

TEST_F(Tools, SayWhenTheirNameIsTaken) {
    ChildProcess first(at_broker({"watch", "X", "--name", "same"}));
    poke({"X=1"});
    ASSERT_TRUE(first.read_line(limit));
    const auto second = run({"poke", "X=2", "--name", "same"});
    EXPECT_EQ(second.code, 1);
    EXPECT_THAT(second.err, AllOf(HasSubstr("refuses this client"), HasSubstr("same")));
}

TEST_F(Tools, PokeWritesAndWatchSeesIt) {
    poke({"SPEED=1.5", "MODE=go home", "ROUTE:=7"});
    ChildProcess watch(at_broker({"watch", "SPEED", "MO*", "ROUTE", "--count", "4", "--json"}));
    std::string lines;
    for (int i = 0; i < 3; ++i) lines += watch.read_line(limit).value_or("none") + "\n";
    EXPECT_THAT(lines, AllOf(HasSubstr(R"("variable":"SPEED","type":"number","value":1.5)"),
                             HasSubstr(R"("variable":"MODE","type":"string","value":"go home")"),
                             HasSubstr(R"("variable":"ROUTE","type":"string","value":"7")")));
    poke({"MODE=stay"});
    EXPECT_THAT(watch.read_line(limit).value_or("none"), HasSubstr(R"("value":"stay","source":"poke_)"));
    EXPECT_EQ(end_of(watch).code, 0);
}

TEST_F(Tools, PokeRefusesAnotherType) {
    poke({"SPEED=1.5"});
    const auto clash = run({"poke", "SPEED=fast"});
    EXPECT_EQ(clash.code, 1);
    EXPECT_THAT(clash.err, HasSubstr("SPEED holds numbers (`1.5`, written by poke_"));
    const auto nonsense = run({"poke", "SPEED"});
    EXPECT_EQ(nonsense.code, 2);
    EXPECT_THAT(nonsense.err, HasSubstr("expected SPEED=VALUE"));
}

TEST_F(Tools, WatchPrintsALineAChangeAndEndsOnASignal) {
    ChildProcess watch(at_broker({"watch", "X"}));
    poke({"X=5"});
    EXPECT_THAT(watch.read_line(limit).value_or("none"),
                MatchesRegex(R"([0-9:.]+  X                    poke_[0-9]+ +5)"));
    watch.signal(SIGINT);
    EXPECT_EQ(end_of(watch).code, 0);
}

TEST_F(Tools, ClientsListsWhoIsThere) {
    ChildProcess watch(at_broker({"watch", "X", "--name", "watcher"}));
    poke({"X=5"});
    ASSERT_TRUE(watch.read_line(limit));
    const auto table = run({"clients"});
    EXPECT_EQ(table.code, 0);
    EXPECT_THAT(table.out,
                AllOf(StartsWith("CLIENT "), HasSubstr("\nwatcher "), Not(HasSubstr("\nclients_"))));
    EXPECT_THAT(run({"clients", "--json"}).out, StartsWith(R"([{"name":"watcher","peer":"127.0.0.1:)"));
}

TEST_F(Tools, PingTellsTheTimes) {
    const auto ping = run({"ping", "--rounds", "5", "--every", "0"});
    EXPECT_EQ(ping.code, 0) << ping.err;
    EXPECT_THAT(ping.out, AllOf(StartsWith("5 rounds, 0 lost\nmin "), HasSubstr("#")));
    EXPECT_THAT(run({"ping", "-n", "3", "--every", "0", "--json"}).out,
                StartsWith(R"({"rounds":3,"lost":0,"min_us":)"));
}

TEST_F(Tools, RecordAndReplayGiveBackWhatWasWritten) {
    poke({"SPEED=1.5", "MODE:=7", "IMAGE:binary=00ff0a"});
    ChildProcess record(at_broker({"record", "SPEED", "MODE", "IMAGE", "-o", path("trial")}));
    EXPECT_THAT(record.read_line(limit).value_or("none"), HasSubstr("recording to"));
    poke({"SPEED=2.5"});
    record.signal(SIGINT);
    const auto recorded = end_of(record);
    EXPECT_EQ(recorded.code, 0) << recorded.err;
    EXPECT_THAT(recorded.out, AllOf(StartsWith("4 values, "), HasSubstr("trial.alog")));
    EXPECT_THAT(read("trial.alog"),
                AllOf(HasSubstr("%% LOGSTART"), HasSubstr("%% STRING MODE"), HasSubstr("<MOOS_BINARY>")));

    const auto info = tests::run({"alog", "info", path("trial.alog")});
    EXPECT_THAT(info.out, AllOf(HasSubstr("IMAGE "), HasSubstr("binary"), HasSubstr("poke_")));

    ChildProcess fresh(command({"db", "--port", "0", "--quiet"}));
    const std::string line = fresh.read_line(limit).value_or(":0");
    const std::string fresh_port = line.substr(line.rfind(':') + 1);
    const auto replayed = tests::run({"replay", path("trial.alog"), "--speed", "0", "--port", fresh_port});
    EXPECT_EQ(replayed.code, 0) << replayed.err;
    ChildProcess seen(
        command({"watch", "SPEED", "MODE", "IMAGE", "--count", "3", "--json", "--port", fresh_port}));
    const auto values = end_of(seen).out;
    EXPECT_THAT(values, AllOf(HasSubstr(R"("type":"number","value":2.5,"source":"poke_)"),
                              HasSubstr(R"("type":"string","value":"7")"),
                              HasSubstr(R"("type":"binary","value":"00ff0a")")));
}

TEST_F(Tools, RecordOverwritesNothingAndSaysWhatItCannotDo) {
    write("trial.alog", "precious");
    poke({"X=1"});
    const auto taken = run({"record", "X", "-o", path("trial")});
    EXPECT_EQ(taken.code, 1);
    EXPECT_THAT(taken.err, HasSubstr("trial.alog is there already"));
    EXPECT_EQ(read("trial.alog"), "precious");
    EXPECT_THAT(run({"record", "--rotate-size", "much"}).err,
                HasSubstr("--rotate-size: `much` is not a size"));
    EXPECT_EQ(run({"record", "--rotate-size", "much"}).code, 2);
}

TEST_F(Tools, RecordOmitsVariables) {
    poke({"NAV_X=1", "NAV_Y=2", "SPEED=3"});
    ChildProcess record(
        at_broker({"record", "--omit", "*_Y", "NAV_*", "SPEED", "--omit", "SPEED", "-o", path("part")}));
    EXPECT_THAT(record.read_line(limit).value_or("none"), HasSubstr("recording to"));
    record.signal(SIGINT);
    EXPECT_THAT(end_of(record).out, StartsWith("1 values, "));
    EXPECT_THAT(read("part.alog"), HasSubstr("NAV_X"));
}

TEST_F(Tools, RecordBeginsNewLogsAtASize) {
    ChildProcess record(
        at_broker({"record", "*", "-o", path("run"), "--rotate-size", "1KiB", "--seconds", "1s"}));
    const auto recorded = end_of(record);
    EXPECT_EQ(recorded.code, 0) << recorded.err;
    EXPECT_THAT(read("run_001.alog"), HasSubstr("LOGSTART"));
    EXPECT_THAT(recorded.out, HasSubstr("run_0"));
}

constexpr std::string_view small_log =
    "%% LOGSTART 1800000000\n0.5 X pNav 1\n1.5 MODE pHelm say \"a,b\"\n2.5 X other 2\nnonsense\n";

TEST_F(Tools, AlogCutsAndConverts) {
    write("small.alog", small_log);
    const std::string log = path("small.alog");
    EXPECT_EQ(tests::run({"alog", "grep", log, "X"}).out,
              "%% LOGSTART 1800000000\n0.5 X pNav 1\n2.5 X other 2\n");
    EXPECT_EQ(tests::run({"alog", "grep", log, "X", "--source", "p*"}).out,
              "%% LOGSTART 1800000000\n0.5 X pNav 1\n");
    EXPECT_EQ(tests::run({"alog", "clip", log, "--from", "1", "--to", "2"}).out,
              "%% LOGSTART 1800000000\n1.5 MODE pHelm say \"a,b\"\n");
    EXPECT_EQ(tests::run({"alog", "csv", log, "MODE"}).out,
              "time,variable,source,value\n1.50000,MODE,pHelm,\"say \"\"a,b\"\"\"\n");
    const auto info = tests::run({"alog", "info", log});
    EXPECT_THAT(info.out, AllOf(HasSubstr("3 values of 2 variables"),
                                HasSubstr("began 2027-01-15 08:00:00 UTC,"), HasSubstr("1 malformed lines")));
    write("fast.alog", "%% LOGSTART 18000000000\n0.5 X pNav 1\n");
    EXPECT_THAT(tests::run({"alog", "info", path("fast.alog")}).out,
                HasSubstr("began 2540-05-25 08:00:00 UTC (time under a time warp), lasts"));
    const auto habit = tests::run({"alog", "grep", log, "X", "out.alog"});
    EXPECT_EQ(habit.code, 2);
    EXPECT_THAT(habit.err,
                HasSubstr("`out.alog` is not a variable; write the output to a file with `> out.alog`"));
}

TEST_F(Tools, AlogSplitsALogByVariable) {
    write("small.alog", small_log);
    const auto done = tests::run({"alog", "split", path("small.alog")});
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(read("small_alvtmp/X.klog"), "%% LOGSTART 1800000000\n0.5 X pNav 1\n2.5 X other 2\n");
    EXPECT_EQ(read("small_alvtmp/MODE.klog"), "%% LOGSTART 1800000000\n1.5 MODE pHelm say \"a,b\"\n");
    EXPECT_EQ(tests::run({"alog", "split", path("small.alog")}).code, 1) << "it overwrites nothing";
    EXPECT_EQ(tests::run({"alog", "split", path("small.alog"), "--dir", path("parts")}).code, 0);
}

TEST_F(Tools, AlogMergesLogsByTime) {
    write("abe.blog", "\x01\x02\x03");
    write("abe.alog",
          "%% LOGSTART 1800000000\n0.5 X pNav 1\n9 B pCam "
          "<MOOS_BINARY>File=abe.blog,Offset=1,Bytes=2</MOOS_BINARY>\n");
    write("ben.alog", "%% LOGSTART 1800000002\n%% STRING X\n1.5 X pNav 7\n");
    const auto done = tests::run(
        {"alog", "merge", "abe=" + path("abe.alog"), "ben=" + path("ben.alog"), "-o", path("fleet")});
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_THAT(done.out, HasSubstr("fleet.alog: 3 values of 2 logs"));
    const auto csv = tests::run({"alog", "csv", path("fleet.alog")});
    EXPECT_THAT(csv.out, AllOf(HasSubstr("0.50000,X,pNav@abe,1\n3.50000,X,pNav@ben,7\n9.00000,B,pCam@abe,")));
    EXPECT_EQ(read("fleet.blog"), "\x02\x03");
    EXPECT_EQ(tests::run({"alog", "merge", path("abe.alog"), "-o", path("fleet")}).code, 1);
    EXPECT_EQ(tests::run({"alog", "merge", path("abe.alog"), "-o", path("fleet.alog")}).code, 1)
        << "the same file";
    write("none.alog", "1 X a 1\n");
    EXPECT_THAT(tests::run({"alog", "merge", path("none.alog"), "-o", path("f")}).err,
                HasSubstr("no LOGSTART"));
    write("fast.alog", "%% LOGSTART 18000000000\n1.5 X pNav 7\n");
    const auto years = tests::run({"alog", "merge", path("abe.alog"), path("fast.alog"), "-o", path("g")});
    EXPECT_EQ(years.code, 1);
    EXPECT_THAT(years.err, AllOf(HasSubstr("abe.alog (LOGSTART"), HasSubstr("fast.alog (LOGSTART")));
    EXPECT_FALSE(std::filesystem::exists(path("g.alog")));
}

TEST_F(Tools, AlogEndsWithOneWhenThereIsNothing) {
    write("small.alog", small_log);
    EXPECT_EQ(tests::run({"alog", "grep", path("small.alog"), "Y"}).code, 1);
    const auto missing = tests::run({"alog", "info", path("none.alog")});
    EXPECT_EQ(missing.code, 1);
    EXPECT_THAT(missing.err, HasSubstr("none.alog: no such file"));
    EXPECT_EQ(tests::run({"alog", "inof", path("small.alog")}).code, 2);
}

TEST_F(Tools, EndWithOneWhenTheMissionFileIsMissing) {
    for (const char* const tool : {"poke", "scope", "clients"}) {
        const auto end = tests::run({tool, path("none.moos")});
        EXPECT_EQ(end.code, 1) << tool;
        EXPECT_THAT(end.err, HasSubstr("none.moos: no such file")) << tool;
    }
}

TEST_F(Tools, ReplayReportsTheValuesThatTheBrokerRefused) {
    write("small.alog", small_log);
    poke({"X:=text"});
    const auto end = run({"replay", path("small.alog"), "--speed", "0"});
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.out, HasSubstr("1 values written, 2 refused, 0 skipped"));
    EXPECT_THAT(end.err, HasSubstr("the broker refused 2 values"));
}

TEST_F(Tools, QueryAnswersByItsExitStatus) {
    poke({"MODE=DRIVE", "NAV_X=4.5"});
    EXPECT_EQ(run({"query", "(MODE == DRIVE) and (NAV_X > 4)"}).code, 0);
    const auto no = run({"query", "--fail_condition", "MODE == DRIVE", "NAV_X > 5", "--check_var", "NAV_X"});
    EXPECT_EQ(no.code, 1);
    EXPECT_EQ(no.out, "NAV_X=4.5\n");
    EXPECT_THAT(no.err, AllOf(HasSubstr("`NAV_X > 5` does not hold: NAV_X is 4.5"),
                              HasSubstr("`MODE == DRIVE` holds: MODE is DRIVE")));
    const auto never = run({"query", "NOBODY_WRITES_THIS == 1", "--wait", "0.3"});
    EXPECT_EQ(never.code, 1);
    EXPECT_THAT(never.err, HasSubstr("NOBODY_WRITES_THIS is never written"));
    EXPECT_EQ(run({"query", "MODE DRIVE"}).code, 2);
    EXPECT_THAT(run({"query", "MODE DRIVE"}).err, HasSubstr("column 6: expected =="));
    EXPECT_EQ(run({"query"}).code, 2);
}

TEST_F(Tools, QueryWaitsUntilItsConditionHolds) {
    poke({"MODE=PARK"});
    ChildProcess events(at_broker({"watch", "DB_EVENT"}));
    ASSERT_TRUE(events.read_line(limit));
    ChildProcess query(at_broker({"query", "MODE == DRIVE", "--wait", "60", "--name", "waiting_query"}));
    auto event = events.read_line(limit);
    while (event && !event->contains(" connected=waiting_query")) event = events.read_line(limit);
    ASSERT_TRUE(event);
    poke({"MODE=DRIVE"});
    EXPECT_EQ(end_of(query).code, 0);
}

TEST_F(Tools, ReplaySaysWhatIsWrongWithALog) {
    write("empty.alog", "%% LOGSTART 1800000000\n");
    EXPECT_THAT(run({"replay", path("empty.alog")}).err, HasSubstr("contains no value"));
    write("small.alog", small_log);
    const auto late = run({"replay", path("small.alog"), "--from", "100"});
    EXPECT_EQ(late.code, 1);
    EXPECT_THAT(late.err, HasSubstr("after the end"));
}

TEST_F(Tools, ScopePrintsOnceForAPipe) {
    poke({"NAV_X=1.5", "MODE=go"});
    const auto text = run({"scope", "NAV"});
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_THAT(text.out, AllOf(StartsWith("VARIABLE "), HasSubstr("\nNAV_X "), HasSubstr(" D 1.5\n"),
                                Not(HasSubstr("MODE"))));
    EXPECT_THAT(run({"scope", "MODE", "--json"}).out,
                StartsWith(R"([{"variable":"MODE","type":"string","value":"go","source":"poke_)"));
    EXPECT_EQ(run({"scope", "--sort", "colour"}).code, 2);
}

TEST_F(Tools, TakeTheMissionFileThatSaysWhereTheBrokerIs) {
    write("alpha.moos", "ServerHost = localhost\nServerPort = " + port + "\n");
    const std::string mission = path("alpha.moos");
    const auto poked = tests::run({"poke", mission, "DEPLOY=true", "NAV_X=1.5"});
    EXPECT_EQ(poked.code, 0) << poked.err;
    EXPECT_THAT(tests::run({"scope", mission, "DEPLOY", "NAV_*"}).out,
                AllOf(HasSubstr("\nDEPLOY "), HasSubstr("\nNAV_X "), Not(HasSubstr("DB_"))));
    EXPECT_THAT(tests::run({"watch", mission, "DEPLOY", "--count", "1"}).out, HasSubstr("true"));
    EXPECT_EQ(tests::run({"clients", mission}).code, 0);
    EXPECT_EQ(tests::run({"ping", mission, "-n", "1"}).code, 0);
    EXPECT_THAT(tests::run({"poke", path("none.moos"), "X=1"}).err, HasSubstr("none.moos"));
    EXPECT_THAT(tests::run({"poke", mission}).err, HasSubstr("expected VAR=VALUE"));
    for (const std::string wrong : {"targ_abe.mos", "none.moos+", "missions/alpha"}) {
        const auto scope = run({"scope", wrong, "--once"});
        EXPECT_EQ(scope.code, 1) << wrong << scope.out;
        EXPECT_THAT(scope.err, HasSubstr(wrong));
    }
    EXPECT_EQ(run({"scope", "robot.motion", "--once"}).code, 0);
    write("wrong.moos", "ServerPort = many\n");
    EXPECT_THAT(tests::run({"poke", path("wrong.moos"), "X=1"}).err, HasSubstr("wrong.moos:1: ServerPort"));
}

TEST_F(Tools, ScopePokesFromWithin) {
    poke({"NAV_X=1.5"});
    TerminalProcess scope(at_broker({"scope", "NAV", "--every", "0.1"}));
    ASSERT_TRUE(scope.shows("NAV_X", limit)) << scope.shown();
    scope.press("p2.75\r");
    EXPECT_TRUE(scope.shows("written: NAV_X=2.75", limit)) << scope.shown();
    ChildProcess watch(at_broker({"watch", "NAV_X", "--count", "1"}));
    EXPECT_THAT(end_of(watch).out, HasSubstr("2.75"));
    scope.press("?");
    EXPECT_TRUE(scope.shows("write a value", limit)) << scope.shown();
    scope.press("qq");
    EXPECT_EQ(scope.wait(limit), 0);
}

TEST_F(Tools, ScopeLivesOnATerminalAndLeavesItAsItWas) {
    poke({"NAV_X=1.5", "MODE=go"});
    TerminalProcess scope(at_broker({"scope", "--every", "0.1"}));
    ASSERT_TRUE(scope.shows("NAV_X", limit)) << scope.shown();
    EXPECT_FALSE(scope.is_in_line_mode());
    poke({"NAV_X=2.25"});
    EXPECT_TRUE(scope.shows("2.25", limit)) << scope.shown();
    scope.press("/NAV\r");
    EXPECT_TRUE(scope.shows("with `NAV`", limit)) << scope.shown();
    scope.press("\r");
    EXPECT_TRUE(scope.shows("enter back", limit)) << scope.shown();
    poke({"NAV_X=3.75"});
    EXPECT_TRUE(scope.shows("3.75", limit)) << scope.shown();
    scope.press("q");
    EXPECT_EQ(scope.wait(limit), 0);
    EXPECT_TRUE(scope.is_in_line_mode());
    EXPECT_TRUE(scope.shown().ends_with("\x1b[?25h\x1b[?1049l"));
}

TEST_F(Tools, ScopeGivesTheTerminalBackOnASignal) {
    TerminalProcess scope(at_broker({"scope"}));
    ASSERT_TRUE(scope.shows("DB_TIME", limit)) << scope.shown();
    scope.press("\x03");
    EXPECT_EQ(scope.wait(limit), 0);
    EXPECT_TRUE(scope.is_in_line_mode());
}

TEST(Completion, KnowsEveryWord) {
    const auto script = tests::run({"completion", "bash"});
    EXPECT_EQ(script.code, 0);
    // Runs the completion in bash.
    ChildProcess bash({"/bin/bash", "-c", R"(source <(")" + program_path() + std::string(R"(" completion bash)
        complete_it() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _caribou; echo "${COMPREPLY[@]}"; }
        complete_it caribou sc
        complete_it caribou alog ""
        complete_it caribou alog clip --fr
        complete_it caribou poke --ho)")});
    EXPECT_EQ(end_of(bash).out, "scope\n--help clip csv grep info merge split view\n--from\n--host\n");
    EXPECT_EQ(tests::run({"completion", "fish"}).code, 2);
}

TEST(Help, ShowsExamplesForEachTool) {
    for (const char* tool : {"scope", "poke", "watch", "clients", "ping", "record", "replay"})
        EXPECT_THAT(tests::run({tool, "--help"}).out,
                    AllOf(HasSubstr("Examples:\n  caribou "), HasSubstr("--host"), HasSubstr("--port")))
            << tool;
}

}  // namespace
}  // namespace caribou::tests
