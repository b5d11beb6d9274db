// Process tests of mission files, launch, share and new.

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/log.hpp"
#include "bus/client.hpp"
#include "child/program.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"
#include "platform/system_clock.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

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

TEST_F(MissionCli, ReportsAllValuesWithWhichAProgramWouldNotStart) {
    const auto check = [&](const std::string& program, const std::string& words) {
        return run(
            {"mission", "check", file("v.moos", "ProcessConfig = " + program + "\n{\n" + words + "\n}\n")});
    };
    const auto lines = [](const std::string& text) { return std::ranges::count(text, '\n'); };
    const auto sim = check("uSimMarineV22", "start_pos = x=0 y=0\nthrust_map = 1:2, 0:5\ndrift_vector = far");
    EXPECT_EQ(sim.code, 1);
    EXPECT_THAT(sim.err,
                AllOf(HasSubstr("v.moos:3: error: start_pos: expected x=,y="),
                      HasSubstr("v.moos:4: error: thrust_map: expected ascending thrusts"),
                      HasSubstr("v.moos:5: error: drift_vector: expected ANGLE,MAGNITUDE, found `far`")));
    const auto script = check("uTimerScript",
                              "reset_max = nolimitt\nreset_time = -1\ntime_zero = now\nupon_awake = x\n"
                              "delay_start = 5:3\ndelay_reset = soon");
    EXPECT_THAT(script.err,
                HasSubstr("v.moos:3: error: reset_max: expected nolimit or a number, found `nolimitt`"));
    EXPECT_EQ(lines(script.err), 6) << script.err;
    const auto log = check("pLogger", "SyncLog = true @ x");
    EXPECT_THAT(log.err, HasSubstr("v.moos:3: error: SyncLog: "));
    const auto watch = check("uProcessWatch", "watch_all = antlr\npost_mapping = A");
    EXPECT_THAT(watch.err,
                AllOf(HasSubstr("v.moos:3: error: watch_all: expected true, antler or false, found `antlr`"),
                      HasSubstr("v.moos:4: error: post_mapping: expected two names A,B, found `A`")));
    EXPECT_THAT(check("helm", "behaviors = nosuch.json").err, HasSubstr("v.moos:3: error: behaviors: "));
    file("bad.json", "{}");
    EXPECT_THAT(check("helm", "behaviors = bad.json").err,
                AllOf(HasSubstr("v.moos:3: error: behaviors: the tree has errors"), HasSubstr("bad.json:1")));
    const auto started =
        run({"timer-script", file("s.moos", "ProcessConfig = uTimerScript\n{\nreset_max = x\n}\n")});
    EXPECT_EQ(started.code, 2);
    EXPECT_THAT(started.err, HasSubstr("s.moos:3: error: reset_max: "));
}

TEST_F(MissionCli, ChecksABlockByTheProgramThatReadsIt) {
    const std::string antler =
        "ProcessConfig = ANTLER\n{\nRun = MOOSDB\nRun = uTimerScript @ NewConsole = false ~ uTimerScript_b\n"
        "Run = caribou marine-sim ~ sim\nRun = pRealm\nRun = pHelmIvP\n}\n";
    const std::string blocks =
        "ProcessConfig = uTimerScript_b\n{\nevent = var=X, val=\"$(NAV_X)\", time=1\n"
        "rand_var = varname=R, min=1, max=2, key=at_rest\n}\nProcessConfig = sim\n{\nstart_pos = x\n}\n";
    const std::string mission = file("r.moos", antler + blocks);
    const auto end = run({"mission", "check", mission});
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.err, AllOf(HasSubstr("r.moos:12: error: rand_var: key is `at_rest`"),
                               HasSubstr("r.moos:16: error: start_pos: "), Not(HasSubstr("not expanded")),
                               HasSubstr("r.moos:6: warning: pRealm is not installed here"),
                               Not(HasSubstr("pHelmIvP is not installed here"))));
    const auto dry = run({"launch", "--dry-run", mission});
    EXPECT_THAT(dry.err, AllOf(HasSubstr("r.moos:12: error: rand_var: key is `at_rest`"),
                               HasSubstr("r.moos:6: warning: pRealm is not installed here"),
                               HasSubstr("pHelmIvP is not installed and is left out; use `caribou helm`")));
    const std::string toml = file("r.toml",
                                  "[[program]]\nname = \"b\"\ncommand = [\"caribou\", \"timer-script\", "
                                  "\"r.toml\", \"script_b\"]\n[script_b]\nreset_max = \"x\"\n");
    EXPECT_THAT(run({"mission", "check", toml}).err, HasSubstr("r.toml:5: error: reset_max: "));
}

TEST_F(MissionCli, ChecksPlansOfShareAndFilesWithAByteOrderMark) {
    const std::string communities = "[[community]]\nname = \"a\"\n[[community]]\nname = \"b\"\nport = 9100\n";
    const auto plan =
        run({"mission", "check",
             file("share.toml", communities + "[[share]]\nfrom = \"a\"\nto = \"b\"\nvariables = [\"X\"]\n")});
    EXPECT_EQ(plan.code, 0);
    EXPECT_EQ(plan.err, "");
    EXPECT_THAT(plan.out, HasSubstr("2 communities, 1 routes"));
    const auto wrong =
        run({"mission", "check", file("w.toml", communities + "[[share]]\nfrom = \"a\"\nto = \"c\"\n")});
    EXPECT_EQ(wrong.code, 1);
    EXPECT_THAT(wrong.err, HasSubstr("w.toml:6: error: "));
    const auto marked =
        run({"mission", "check", "--show", file("m.moos", "\xEF\xBB\xBFServerPort = 9001\r\n")});
    EXPECT_EQ(marked.err, "");
    EXPECT_THAT(marked.out, HasSubstr("1  ServerPort = 9001"));
}

TEST_F(MissionCli, ExpandsATemplate) {
    file("plug.moos", "ServerPort = $(VPORT)\n");
    const std::string meta = file("meta.moos", "#include plug.moos\n#ifdef SIM\nX = %(VNAME)\n#endif\n");
    const std::string out = folder / "abe.moos";
    const Words expand{"mission",    "expand",  meta,     out,        "VNAME=abe",
                       "VPORT=9001", "SIM=yes", "--path", folder / ""};
    const auto done = run(expand);
    EXPECT_EQ(done.code, 0) << done.err;
    std::ifstream written(out);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(written), {}), "ServerPort = 9001\n\nX = ABE\n");
    EXPECT_EQ(run(expand).code, 1) << "it overwrites nothing";
    EXPECT_EQ(run({"mission", "check", out}).code, 0);
    const auto one_path = run({"mission", "expand", meta, folder / "b.moos",
                               "--path=" + (folder / "").string(), "VNAME=abe", "VPORT=9001", "SIM=yes"});
    EXPECT_EQ(one_path.code, 0) << one_path.err;
    EXPECT_EQ(run({"mission", "check", folder / "b.moos"}).code, 0);
    EXPECT_EQ(run({"mission", "expand", file("one.moos", "Y = $(NONE=2)\n")}).out, "Y = 2\n");
    const auto strict =
        run({"mission", "expand", file("two.moos", "Y = $(NONE)\n"), folder / "z", "--strict"});
    EXPECT_EQ(strict.code, 1);
    EXPECT_THAT(strict.err, HasSubstr("two.moos:1: error: the macro `NONE` is not defined"));
    EXPECT_FALSE(std::filesystem::exists(folder / "z"));
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

TEST_F(MissionCli, ReportsMisspelledWordsAndMacrosThatAreLeft) {
    const auto check = [&](const std::string& text) {
        const std::string mission = file("w.moos", text);
        const auto end = run({"mission", "check", mission});
        const auto plan = run({"launch", "--dry-run", mission});
        return std::pair(end.code, end.err + plan.err);
    };
    EXPECT_THAT(
        check("ProcessConfig = ANTLER\n{\nRn = MOOSDB\nMSBetweenLaunch = 200\nRun = MOOSDB\n}\n").second,
        AllOf(HasSubstr("w.moos:3: warning: `Rn` has no effect here; did you mean `Run`?"),
              HasSubstr("w.moos:4: warning: `MSBetweenLaunch` has no effect here; did you mean "
                        "`MSBetweenLaunches`?")));
    for (const std::string program : {"pLogger", "pMarinePIDV22", "uTimerScript", "helm"})
        EXPECT_THAT(check("ProcessConfig = " + program +
                          "\n{\nApTick = 4\n}\nProcessConfig = ANTLER\n{\nRun = MOOSDB\n}\n")
                        .second,
                    testing::ContainsRegex("w.moos:3: .*no parameter `ApTick`; did you mean `AppTick`"
                                           "(.|\n)*no parameter `ApTick`"))
            << program << ", by check and by launch";
    const auto macro = check("ServerPort = $(VPORT)\n");
    EXPECT_EQ(macro.first, 1);
    EXPECT_THAT(macro.second,
                HasSubstr("w.moos:1: error: ServerPort is `$(VPORT)`, a macro that was not expanded"));
    for (const char* const own : {"pMarineViewer\n{\nright_context = GO = $(XPOS),$(YPOS)\n}\n",
                                  "uTimerScript\n{\nevent = var=X, val=$(1), time=1\n}\n"})
        EXPECT_EQ(
            check(std::string("ProcessConfig = ") + own + "ProcessConfig = ANTLER\n{\nRun = MOOSDB\n}\n")
                .second,
            "")
            << "the macros of these programs are expanded by them";
    const auto brace = check("ProcessConfig = ANTLER {\nRun = MOOSDB\n}\n");
    EXPECT_EQ(brace.first, 1);
    EXPECT_THAT(brace.second, HasSubstr("w.moos:1: error: the `{` of a block must be on its own line"));
    const auto block = check("ProcesConfig = ANTLER\n{\nRun = MOOSDB\n}\n");
    EXPECT_EQ(block.first, 1);
    EXPECT_THAT(block.second,
                HasSubstr("w.moos:1: error: unknown key `ProcesConfig`; did you mean `ProcessConfig`?"));
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

TEST_F(LaunchCli, TakesThePlaceOfProgramsThatAreNotInstalled) {
    const std::string mission = file("m.moos",
                                     "ProcessConfig = ANTLER\n{\nRun = MOOSDB\nRun = uTimerScript @ "
                                     "NewConsole = false ~ uts\nRun = pRealm\n}\n");
    const auto plan = run({"launch", mission, "--dry-run"});
    EXPECT_THAT(plan.out, AllOf(HasSubstr("uts: " + program_path() + " timer-script " + mission + " uts\n"),
                                HasSubstr("pRealm: pRealm " + mission)));
}

TEST_F(LaunchCli, LeavesOutWhatCaribouDoesOtherwise) {
    const auto plan = run({"launch", "--dry-run",
                           file("m.moos",
                                "ProcessConfig = ANTLER\n{\nRun = MOOSDB\nRun = pMarineViewer\n"
                                "Run = uXMS @ NewConsole = true ~ shore_xms\n}\n")});
    EXPECT_EQ(plan.code, 0);
    EXPECT_THAT(plan.out, AllOf(HasSubstr("MOOSDB: "), Not(HasSubstr("pMarineViewer"))));
    EXPECT_THAT(
        plan.err,
        AllOf(HasSubstr("pMarineViewer is not installed and is left out; use the broker's page /marine"),
              HasSubstr("shore_xms is not installed and is left out; use `caribou scope`")));
}

TEST_F(LaunchCli, WritesNothingBesideTheMissionThatItMayNotOrNeedNot) {
    const std::string mission =
        file("m.moos", "ServerPort = 0\nProcessConfig = ANTLER\n{\nRun = MOOSDB\n}\n");
    EXPECT_THAT(run({"launch", mission, "--warp", "4", "--dry-run"}).out, HasSubstr(mission + "++"));
    EXPECT_FALSE(std::filesystem::exists(mission + "++"));
    std::filesystem::create_directory(mission + "++");  // cannot be written, also by root
    ChildProcess launch(command({"launch", mission, "--warp", "4"}));
    EXPECT_THAT(launch.read_line(limit).value_or(""), HasSubstr("MOOSDB * started"));
    EXPECT_THAT(launch.read_line(limit).value_or(""), HasSubstr("MOOSDB | caribou db: community"));
    launch.signal(SIGINT);
    const auto end = end_of(launch);
    EXPECT_EQ(end.code, 0) << end.err;
    const std::string before = "the copy is ";
    const auto at = end.err.find(before);
    ASSERT_NE(at, std::string::npos) << end.err;
    const std::string copy = end.err.substr(at + before.size(), end.err.find('\n', at) - at - before.size());
    EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(copy).parent_path())) << copy;
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

TEST_F(AppCli, ProgramsInThePlaceOfOthersRunOnWithUnknownWords) {
    ChildProcess db(command({"db", "--port", "0", "--quiet"}));
    const std::string line = db.read_line(limit).value_or(":0");
    const std::string globals = "ServerPort = " + line.substr(line.rfind(':') + 1) + "\n";
    for (const auto& [name, command_word] :
         std::map<std::string, std::string>{{"pMarinePID", "marine-pid"},
                                            {"uSimMarine", "marine-sim"},
                                            {"pNodeReporter", "node-reporter"},
                                            {"uProcessWatch", "process-watch"},
                                            {"uTimerScript", "timer-script"},
                                            {"pShare", "share"}}) {
        const std::string mission =
            file(name + ".moos", globals + "ProcessConfig = " + name + "\n{\nfoo_bar = true\n}\n");
        ChildProcess app(command({command_word, mission}));
        std::string status = name + "_STATUS";
        std::ranges::transform(status, status.begin(), [](unsigned char c) { return std::toupper(c); });
        EXPECT_EQ(run({"watch", mission, status, "--count", "1"}).code, 0) << name;
        app.signal(SIGTERM);
        const auto end = end_of(app);
        EXPECT_EQ(end.code, 0) << end.err;
        EXPECT_THAT(end.err, HasSubstr(name + ".moos:4: warning: no parameter `foo_bar`")) << name;
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

TEST_F(NewCli, RefusesNamesThatItsOwnCheckWouldRefuse) {
    const auto why = [&](std::vector<std::string> words) {
        const std::string where = folder / "refused";
        words.insert(words.begin(), {"new", "behavior", "--folder", where});
        const auto end = run(words);
        EXPECT_EQ(end.code, 2);
        EXPECT_FALSE(std::filesystem::exists(where));
        return end.err;
    };
    EXPECT_THAT(why({"sequence", "--python"}), HasSubstr("every robot has a class of behaviors `sequence`"));
    EXPECT_THAT(why({"sequence"}), HasSubstr("every robot has a class of behaviors `sequence`"));
    EXPECT_THAT(why({"asyncio", "--python"}), HasSubstr("would hide the module `asyncio`"));
    EXPECT_THAT(why({"caribou", "--python"}), HasSubstr("would hide the module `caribou`"));
    EXPECT_THAT(why({"if", "--python"}), HasSubstr("`if` is a keyword of Python"));
    EXPECT_THAT(why({"back", "--python"}), HasSubstr("another behavior with the id `back`"));
    EXPECT_THAT(why({"robot"}), HasSubstr("another behavior with the id `robot`"));
    EXPECT_THAT(why({"patrol_2", "--python"}), HasSubstr("after each underscore comes a letter"));
}

using ProcessWatchCli = AppCli;

TEST_F(ProcessWatchCli, PublishesWhichProgramsOfTheMissionAreMissing) {
    ChildProcess db(command({"db", "--port", "0"}));
    const std::string line = db.read_line(limit).value_or(":0");
    const std::string port = line.substr(line.rfind(':') + 1);
    const std::string mission =
        file("a.moos",
             "ServerHost = 127.0.0.1\nServerPort = " + port +
                 "\nProcessConfig = ANTLER\n{\nRun = MOOSDB\nRun = pA\nRun = pB\nRun = pMarineViewer\n}\n"
                 "ProcessConfig = uProcessWatch\n{\nnowatch = uXMS*\n}\n");
    ChildProcess summary(command({"watch", "PROC_WATCH_SUMMARY", "--port", port}));
    const auto wait_for = [&](std::string_view value) {
        auto next = summary.read_line(limit);
        while (next && !next->ends_with(value)) next = summary.read_line(limit);
        return next.has_value();
    };
    ChildProcess a(command({"watch", "X", "--name", "pA", "--port", port}));
    ChildProcess watch(command({"process-watch", mission}));
    EXPECT_TRUE(wait_for(" AWOL: pB")) << "and not pMarineViewer, which a launch leaves out";
    ChildProcess b(command({"watch", "X", "--name", "pB", "--port", port}));
    EXPECT_TRUE(wait_for(" All Present"));
    const auto reports = run({"appcast", "uProcessWatch", "--port", port});
    EXPECT_THAT(reports.out,
                AllOf(HasSubstr("Summary: All Present"), HasSubstr("Noted to be present: [pB]")));
    a.signal(SIGKILL);
    EXPECT_TRUE(wait_for(" AWOL: pA"));
    watch.signal(SIGTERM);
    EXPECT_EQ(end_of(watch).code, 0);
    EXPECT_THAT(
        run({"mission", "check", file("b.moos", "ProcessConfig = uProcessWatch\n{\nwach = pA\n}\n")}).err,
        HasSubstr("b.moos:3: warning: no parameter `wach`; did you mean `watch`?"));
}

using TimerScriptCli = AppCli;

TEST_F(TimerScriptCli, PublishesTheEventsOfItsBlock) {
    ChildProcess db(command({"db", "--port", "0", "--community", "alpha"}));
    const std::string line = db.read_line(limit).value_or(":0");
    const std::string port = line.substr(line.rfind(':') + 1);
    const std::string mission =
        file("a.moos", "ServerHost = 127.0.0.1\nServerPort = " + port +
                           "\nProcessConfig = uTimerScript\n{\nAppTick = 50\npaused = true\n"
                           "condition = READY = true\n"
                           "rand_var = varname=R, min=5, max=5\n"
                           "event = var=GO, val=\"x={$[R]+1},v=$[VNAME]\", time=0.1\n"
                           "event = quit, time=0.2\n}\n");
    ChildProcess watch(command({"watch", "GO", "EXITED_NORMALLY", "--port", port}));
    ChildProcess script(command({"timer-script", mission}));
    ChildProcess status(command({"watch", "UTS_STATUS", "--port", port}));
    EXPECT_THAT(status.read_line(limit).value_or(""),
                HasSubstr("posted=0, pending=2, paused=true, conditions_ok=false"));
    EXPECT_EQ(run({"poke", "UTS_PAUSE=false", "READY=true", "--port", port}).code, 0);
    EXPECT_THAT(watch.read_line(limit).value_or(""), HasSubstr("x=6,v=alpha"));
    EXPECT_THAT(watch.read_line(limit).value_or(""), HasSubstr("EXITED_NORMALLY"));
    EXPECT_EQ(end_of(script).code, 0);
    const auto wrong = run({"timer-script", file("b.moos",
                                                 "ProcessConfig = uTimerScript\n{\nrand_pair = x\n"
                                                 "event = var=A, vall=1\n}\n")});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("b.moos:4: error: event: there is no `vall` here; did you mean `val`?"));
}

using LoggerCli = AppCli;

TEST_F(LoggerCli, WritesTheFilesOfItsBlock) {
    ChildProcess db(command({"db", "--port", "0", "--community", "alpha"}));
    const std::string line = db.read_line(limit).value_or(":0");
    const std::string port = line.substr(line.rfind(':') + 1);
    const std::string mission =
        file("a.moos",
             "ServerHost = 127.0.0.1\nServerPort = " + port +
                 "\nProcessConfig = pLogger\n{\nAppTick = 20\nPath = " + (folder / "logs").string() +
                 "\nFile = run\nFileTimeStamp = false\nSyncLog = true @ 0.1\nLog = NAV_X @ 0\n"
                 "WildCardLogging = true\nWildCardOmitPattern = DB_*, SECRET*\nWildCardExclusionLog = true\n"
                 "LoggingDirectorySummaryFile = " +
                 (folder / "last").string() + "\nCompressAlogs = true\n}\n");
    ChildProcess watch(command({"watch", "LOGGER_DIRECTORY", "--port", port}));
    ChildProcess logger(command({"logger", mission}));
    EXPECT_THAT(watch.read_line(limit).value_or(""), HasSubstr((folder / "logs/run").string()));
    EXPECT_EQ(run({"poke", "NAV_X=1.5", "SECRET_A=2", "MODE=go", "MOOS_DEBUG=hello", "--port", port}).code,
              0);
    const auto text = [&](const std::string& name) {
        std::ifstream written(folder / ("logs/run/" + name));
        return std::string(std::istreambuf_iterator<char>(written), {});
    };
    const SystemClock clock;
    for (const Instant end = clock.now() + limit; clock.now() < end && !text("run.slog").contains(" 1.5");) {}
    const std::string copied = file("alpha.bhv", "behaviors");
    EXPECT_EQ(run({"poke", "PLOGGER_CMD=COPY_FILE_REQUEST = " + copied, "--port", port}).code, 0);
    EXPECT_EQ(run({"poke", "LOGGER_RESTART=1", "--port", port}).code, 0);
    EXPECT_THAT(watch.read_line(limit).value_or(""), HasSubstr((folder / "logs/run_2").string()));
    EXPECT_EQ(run({"poke", "PLOGGER_CMD=COPY_FILE_REQUEST = /none", "--port", port}).code, 0);
    EXPECT_THAT(
        run({"appcast", "pLogger", "--port", port}).out,
        AllOf(HasSubstr("copied " + copied), HasSubstr("cannot open /none"), Not(HasSubstr("copied /none"))));
    logger.signal(SIGTERM);
    const auto end = end_of(logger);
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_THAT(end.err, HasSubstr("warning: `CompressAlogs` is not supported"));
    EXPECT_THAT(text("run.alog"), AllOf(HasSubstr("NAV_X "), HasSubstr("MODE "), Not(HasSubstr("SECRET"))));
    EXPECT_THAT(text("run.slog"), AllOf(HasSubstr("%%   (2) NAV_X"), HasSubstr(" 1.50000")));
    EXPECT_THAT(text("run.xlog"), HasSubstr("SECRET_A "));
    EXPECT_THAT(text("run.ylog"), HasSubstr("hello"));
    EXPECT_THAT(text("run._moos"), HasSubstr("WildCardLogging"));
    EXPECT_EQ(text("alpha._bhv"), "behaviors");
    EXPECT_EQ(run({"alog", "info", folder / "logs/run/run.alog"}).code, 0);
    std::ifstream last(folder / "last");
    std::string directory;
    EXPECT_TRUE(std::getline(last, directory) && directory.ends_with("logs/run_2"));
    const auto wrong = run({"logger", file("b.moos", "ProcessConfig = pLogger\n{\nLog = X @ often\n}\n")});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("b.moos:3: error: Log: `often` is not a number of seconds"));
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
    EXPECT_EQ(end->out, "alpha to shore: NAV_* as ALPHA_*: 1 copied, 0 lost\n");
    for (const bool only_check : {true, false}) {
        Words words{"share", "--config", file("w.toml", "[[comunity]]\nname = \"a\"\n")};
        if (only_check) words.emplace_back("--check");
        EXPECT_EQ(run(words).code, 1);
    }
    EXPECT_EQ(run({"share", "--config", config, "--check"}).out,
              config + ": 2 communities, 1 routes, no errors\n");
}

}  // namespace
}  // namespace caribou::tests
