#include "bus/supervisor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loop/virtual_loop.hpp"

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr int sigterm = 15;
constexpr int sigkill = 9;

/// Simulated programs that exit when the test says so.
class FakeProcesses final : public Processes {
public:
    struct Life {
        std::string name;
        Instant started;
        ProcessEvents* events;
        bool alive = true;
        bool stubborn = false;  ///< ignores the request to exit
        std::vector<std::string> input{};
    };

    explicit FakeProcesses(VirtualLoop& loop) : loop_(loop) {}

    Result<std::unique_ptr<Process>> start(const std::vector<std::string>& words,
                                           ProcessEvents& events) override {
        if (words[0] == "missing") return fail(Code::not_found, "no program `missing`");
        lives.push_back({words[0], loop_.clock().now(), &events});
        lives.back().stubborn = words[0] == "stubborn";
        return std::make_unique<Fake>(*this, lives.size() - 1);
    }
    void end(std::size_t index, ProcessEnd how) {
        if (!std::exchange(lives[index].alive, false)) return;
        loop_.post([events = lives[index].events, how] { events->on_end(how); });
        loop_.run_ready();
    }
    std::vector<std::string> alive() const {
        std::vector<std::string> names;
        for (const Life& life : lives)
            if (life.alive) names.push_back(life.name);
        return names;
    }

    std::vector<Life> lives;

private:
    class Fake final : public Process {
    public:
        Fake(FakeProcesses& owner, std::size_t index) : owner_(owner), index_(index) {}
        ~Fake() override { owner_.lives[index_].alive = false; }
        int id() const override { return static_cast<int>(index_) + 100; }
        void terminate() override {
            if (!owner_.lives[index_].stubborn) end({.signal = sigterm});
        }
        void kill() override { end({.signal = sigkill}); }
        bool write(std::string_view line) override {
            if (!owner_.lives[index_].events->wants_input()) return false;
            owner_.lives[index_].input.emplace_back(line);
            return true;
        }

    private:
        void end(ProcessEnd how) {
            if (!std::exchange(owner_.lives[index_].alive, false)) return;
            owner_.loop_.post([events = owner_.lives[index_].events, how] { events->on_end(how); });
        }
        FakeProcesses& owner_;
        std::size_t index_;
    };

    VirtualLoop& loop_;
};

struct Launch final : LaunchEvents {
    explicit Launch(LaunchPlan plan) : supervisor(loop, processes, std::move(plan), *this) {
        supervisor.start();
        loop.run_ready();
    }
    void on_line(std::size_t, std::string_view line) override { lines.emplace_back(line); }
    void on_note(std::size_t program, std::string_view note) override {
        notes.push_back(supervisor.plan().programs[program].name + ": " + std::string(note));
    }
    void on_over() override { over = true; }
    /// Returns the outcome, or an empty text if there is none yet.
    std::string start_again(std::size_t program) {
        started.clear();
        supervisor.start_again(program, [this](const Result<std::string>& outcome) {
            started = outcome ? "+ " + *outcome : "- " + outcome.error().message;
        });
        loop.run_ready();
        return started;
    }

    VirtualLoop loop;
    FakeProcesses processes{loop};
    std::vector<std::string> lines;
    std::vector<std::string> notes;
    bool over = false;
    std::string started;
    Supervisor supervisor;
};

LaunchPlan plan(std::vector<std::string> names, Restart restart = Restart::never) {
    LaunchPlan planned;
    for (const std::string& name : names) planned.programs.push_back({name, {name}, restart});
    return planned;
}

TEST(Supervisor, StartsOneAfterAnother) {
    auto planned = plan({"a", "b", "c"});
    planned.between = 200ms;
    Launch launch(planned);
    EXPECT_THAT(launch.processes.alive(), ElementsAre("a"));
    launch.loop.advance(400ms);
    EXPECT_THAT(launch.processes.alive(), ElementsAre("a", "b", "c"));
    EXPECT_EQ(launch.processes.lives[2].started - launch.processes.lives[0].started, 400ms);
}

TEST(Supervisor, IsOverWhenAllHaveEnded) {
    Launch launch(plan({"a", "b"}));
    launch.processes.end(0, {});
    EXPECT_FALSE(launch.over);
    launch.processes.end(1, {.code = 3});
    EXPECT_TRUE(launch.over);
    EXPECT_THAT(launch.supervisor.failures(), ElementsAre("b"));
    EXPECT_THAT(launch.notes.back(), HasSubstr("b: exited with 3"));
}

TEST(Supervisor, GoesOnWithoutAProgramThatCannotBeStarted) {
    Launch launch(plan({"missing", "b"}, Restart::always));
    EXPECT_THAT(launch.processes.alive(), ElementsAre("b"));
    EXPECT_THAT(launch.supervisor.failures(), ElementsAre("missing"));
    launch.loop.advance(1h);
    EXPECT_THAT(launch.processes.lives, SizeIs(1)) << "trying again would not help";
}

TEST(Supervisor, StartsAgainAsThePolicySays) {
    struct Case {
        Restart restart;
        ProcessEnd end;
        bool again;
    };
    for (const auto& [restart, end, again] :
         {Case{Restart::never, {.code = 1}, false}, Case{Restart::never, {}, false},
          Case{Restart::on_failure, {.code = 1}, true}, Case{Restart::on_failure, {.signal = 11}, true},
          Case{Restart::on_failure, {}, false}, Case{Restart::always, {}, true}}) {
        Launch launch(plan({"a"}, restart));
        launch.processes.end(0, end);
        launch.loop.advance(1s);
        EXPECT_EQ(launch.processes.lives.size(), again ? 2u : 1u);
        EXPECT_EQ(launch.over, !again);
    }
}

TEST(Supervisor, StartsAProgramAgainWhenAsked) {
    Launch launch({.programs = {{.name = "one", .words = {"one"}}, {.name = "two", .words = {"two"}}}});
    launch.loop.advance(10s);
    EXPECT_EQ(launch.start_again(9), "- there is no such program");
    launch.processes.end(0, {.code = 10});
    EXPECT_THAT(launch.processes.alive(), ElementsAre("two"));
    EXPECT_THAT(launch.supervisor.failures(), ElementsAre("one"));
    EXPECT_EQ(launch.start_again(0), "+ started, process 102");
    EXPECT_THAT(launch.processes.alive(), ElementsAre("two", "one"));
    EXPECT_THAT(launch.supervisor.failures(), IsEmpty());
    launch.supervisor.stop();
    launch.loop.run_ready();
    EXPECT_EQ(launch.start_again(0), "- everything is being ended");
}

TEST(Supervisor, EndsAProgramThatRunsBeforeItStartsItAgain) {
    Launch launch(plan({"a", "b"}));
    EXPECT_EQ(launch.start_again(0), "+ it was ended; started, process 102");
    EXPECT_THAT(launch.processes.alive(), ElementsAre("b", "a"));
    EXPECT_THAT(launch.supervisor.failures(), IsEmpty());
    EXPECT_FALSE(launch.over);
}

TEST(Supervisor, KillsAProgramThatHangsBeforeItStartsItAgain) {
    Launch launch(plan({"stubborn"}));
    EXPECT_EQ(launch.start_again(0), "") << "it gets time to exit";
    EXPECT_EQ(launch.start_again(0), "- it is being started already");
    launch.started.clear();
    launch.loop.advance(Supervisor::start_again_grace - 1ms);
    EXPECT_EQ(launch.started, "");
    launch.loop.advance(1ms);
    EXPECT_EQ(launch.started, "+ it did not respond, and was killed; started, process 101");
    EXPECT_THAT(launch.processes.alive(), ElementsAre("stubborn"));
    EXPECT_FALSE(launch.over);
}

TEST(Supervisor, StartsNothingAgainWhenEverythingIsEnded) {
    Launch launch(plan({"stubborn"}));
    EXPECT_EQ(launch.start_again(0), "");
    launch.supervisor.stop();
    launch.loop.advance(3s);
    EXPECT_EQ(launch.started, "- everything is being ended");
    EXPECT_TRUE(launch.over);
    EXPECT_THAT(launch.processes.lives, SizeIs(1));
}

TEST(Supervisor, ReportsAProgramThatCannotBeStartedAgain) {
    Launch launch(plan({"missing", "b"}));
    EXPECT_EQ(launch.start_again(0), "- no program `missing`");
}

TEST(Supervisor, WritesToProgramsThatReadTheirInput) {
    auto planned = plan({"a", "b"});
    planned.programs[1].reads_input = true;
    Launch launch(planned);
    EXPECT_FALSE(launch.supervisor.write(0, "x"));
    EXPECT_TRUE(launch.supervisor.write(1, "started: rover"));
    EXPECT_THAT(launch.processes.lives[1].input, ElementsAre("started: rover"));
    launch.processes.end(1, {});
    EXPECT_FALSE(launch.supervisor.write(1, "x"));
}

TEST(Supervisor, PausesLongerAndLongerUntilAProgramHasSettled) {
    Launch launch(plan({"a"}, Restart::always));
    std::vector<Duration> pauses;
    const auto next_pause = [&] {
        const std::size_t count = launch.processes.lives.size();
        const Instant ended = launch.loop.clock().now();
        launch.processes.end(count - 1, {.code = 1});
        launch.loop.run_until([&] { return launch.processes.lives.size() > count; }, 1h);
        return launch.loop.clock().now() - ended;
    };
    for (int i = 0; i < 9; ++i) pauses.push_back(next_pause());
    EXPECT_THAT(pauses, ElementsAre(500ms, 1s, 2s, 4s, 8s, 16s, 30s, 30s, 30s));
    launch.loop.advance(10s);
    EXPECT_EQ(next_pause(), 500ms);
}

TEST(Supervisor, EndsEverythingWhenStopped) {
    auto planned = plan({"a", "b", "c"}, Restart::always);
    planned.between = 1s;
    Launch launch(planned);
    launch.loop.advance(1s);
    launch.processes.end(0, {.code = 1});  // waiting to be restarted
    launch.supervisor.stop();
    launch.loop.run_ready();
    EXPECT_TRUE(launch.over);
    launch.loop.advance(1h);
    EXPECT_THAT(launch.processes.alive(), IsEmpty());
    EXPECT_THAT(launch.processes.lives, SizeIs(2)) << "c never started";
    EXPECT_THAT(launch.supervisor.failures(), ElementsAre("a")) << "its last end was a bad one";
}

TEST(Supervisor, EndsByForceWhatDoesNotListen) {
    Launch launch(plan({"stubborn", "b"}));
    launch.supervisor.stop();
    launch.loop.advance(2999ms);
    EXPECT_THAT(launch.processes.alive(), ElementsAre("stubborn"));
    launch.loop.advance(1ms);
    EXPECT_TRUE(launch.over);
    EXPECT_THAT(launch.supervisor.failures(), ElementsAre("stubborn"));
}

TEST(Supervisor, DoesNotWaitWhenToldTwice) {
    Launch launch(plan({"stubborn"}));
    launch.supervisor.stop();
    launch.supervisor.stop();
    launch.loop.run_ready();
    EXPECT_TRUE(launch.over);
}

TEST(Supervisor, LeavesNothingBehindWhenItGoes) {
    VirtualLoop loop;
    FakeProcesses processes(loop);
    struct Nobody final : LaunchEvents {
        void on_line(std::size_t, std::string_view) override {}
        void on_note(std::size_t, std::string_view) override {}
        void on_over() override {}
    } nobody;
    {
        Supervisor supervisor(loop, processes, plan({"a", "stubborn"}), nobody);
        supervisor.start();
        loop.advance(1s);
        EXPECT_THAT(processes.alive(), SizeIs(2));
    }
    EXPECT_THAT(processes.alive(), IsEmpty());
}

TEST(LaunchPlan, ReadsAnAntlerBlock) {
    const Mission mission = parse_moos_mission(
        "ProcessConfig = ANTLER\n{\n"
        "  MSBetweenLaunches = 200\n"
        "  Run = MOOSDB @ NewConsole = false\n"
        "  Run = pHelm @ NewConsole = true, Restart = on-failure ~ helm\n"
        "  Run = pLogger @ ExtraProcessParams = more\n"
        "  Run = uTool @ InhibitMOOSParams = true, Path = /opt/bin\n"
        "  more = --fast, --deep=3\n"
        "}\n",
        "alpha.moos", {});
    const auto planned = plan_launch(mission, {"caribou", "db"});
    ASSERT_TRUE(planned) << planned.error().message;
    EXPECT_EQ(planned->between, 200ms);
    EXPECT_THAT(
        planned->programs,
        ElementsAre(LaunchProgram{"MOOSDB", {"caribou", "db", "alpha.moos"}},
                    LaunchProgram{"helm", {"pHelm", "alpha.moos", "helm"}, Restart::on_failure},
                    LaunchProgram{"pLogger", {"pLogger", "alpha.moos", "pLogger", "--fast", "--deep=3"}},
                    LaunchProgram{"uTool", {"/opt/bin/uTool"}}));
}

TEST(LaunchPlan, StartsAProgramTwiceForTwoRunLines) {
    const Mission mission = parse_moos_mission(
        "ProcessConfig = ANTLER\n{\n  Run = pHelmIvP\n  Run = pHelmIvP @ ExtraProcessParams = more\n"
        "  more = --alias=standby\n}\n",
        "kilo.moos", {});
    const auto planned = plan_launch(mission, {"caribou", "db"});
    ASSERT_TRUE(planned) << planned.error().message;
    EXPECT_THAT(
        planned->programs,
        ElementsAre(LaunchProgram{"pHelmIvP", {"pHelmIvP", "kilo.moos", "pHelmIvP"}},
                    LaunchProgram{"pHelmIvP#2", {"pHelmIvP", "kilo.moos", "pHelmIvP", "--alias=standby"}}));
}

TEST(LaunchPlan, ReadsToml) {
    const Mission mission = parse_toml_mission(
        "[launch]\ngrace = 1.5\nrestart = \"always\"\n"
        "[[program]]\ncommand = [\"caribou\", \"db\"]\n"
        "[[program]]\nname = \"deep\"\ncommand = [\"./pDepth\", \"x\"]\nrestart = \"never\"\n",
        "a.toml");
    const auto planned = plan_launch(mission, {});
    ASSERT_TRUE(planned) << planned.error().message;
    EXPECT_EQ(planned->grace, 1500ms);
    EXPECT_THAT(planned->programs, ElementsAre(LaunchProgram{"caribou", {"caribou", "db"}, Restart::always},
                                               LaunchProgram{"deep", {"./pDepth", "x"}}));
}

TEST(LaunchPlan, SaysWhatIsWrong) {
    const auto told = [](std::string_view text, std::string path) {
        const auto planned = plan_launch(parse_mission(text, std::move(path), {}), {});
        return planned ? "" : planned.error().message;
    };
    EXPECT_THAT(told("ServerPort = 1\n", "a.moos"), HasSubstr("nothing to launch"));
    EXPECT_EQ(told("[[program]]\ncommand = [\"a\"]\n[[program]]\ncommand = [\"a\"]\n", "a.toml"),
              "a.toml:3: error: two programs are named a; names must be unique");
    EXPECT_THAT(told("ProcessConfig = ANTLER\n{\nRun = a @ Restart = sometimes\n}\n", "a.moos"),
                HasSubstr("a.moos:3: error: restart is `sometimes`; expected `never`"));
    EXPECT_THAT(told("ProcessConfig = ANTLER\n{\nRun = a @ ExtraProcessParams = b\n}\n", "a.moos"),
                HasSubstr("there is no `b = …`"));
    EXPECT_THAT(told("[[program]]\nname = \"a\"\n", "a.toml"),
                HasSubstr("a.toml:1: error: a program needs a"));
    EXPECT_THAT(told("[[program]]\ncommand = \"ls -l\"\n", "a.toml"),
                HasSubstr("a.toml:1: error: command must be a list of words: `command = [\"ls\", \"-l\"]`"));
    EXPECT_THAT(told("[[program]]\ncomand = [\"a\"]\n", "a.toml"), HasSubstr("did you mean `command`?"));
}

}  // namespace
}  // namespace caribou::bus
