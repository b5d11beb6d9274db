// Process tests of the station: the real program, and a robot on its link.

#include <signal.h>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "child/program.hpp"
#include "child/terminal_process.hpp"
#include "platform/named_thread.hpp"
#include "platform/socket_network.hpp"
#include "platform/temporary_folder.hpp"
#include "platform/waiting_queue.hpp"
#include "platform/web_socket.hpp"
#include "station/played_robot.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A robot on its own thread, connected after construction.
class RunningRobot {
public:
    explicit RunningRobot(const std::string& station)
        : robot(thread_.loop(), network_, {.station = Address::parse(station).value()}) {
        robot.on_auth = [this] { connected_.push(true); };
        robot.on_goodbye = [this] { released_.push(true); };
        EXPECT_TRUE(thread_.start());
        connected_.wait();
    }
    ~RunningRobot() { stop(); }
    RunningRobot(const RunningRobot&) = delete;
    RunningRobot& operator=(const RunningRobot&) = delete;

    /// Waits for the station's goodbye.
    void wait_for_goodbye() { released_.wait(); }
    /// Its members may be read afterwards.
    void stop() { thread_.stop(); }

private:
    NullLog log_;
    NamedThread thread_{{.name = "robot"}, log_};
    SocketNetwork network_{thread_.loop(), log_};
    WaitingQueue<bool> connected_{1};
    WaitingQueue<bool> released_{1};

public:
    station::PlayedRobot robot;
};

class StationCli : public testing::Test {
protected:
    void start(const Words& more = {}) {
        Words words{"station", "--plain", "--listen", "127.0.0.1:0", "--web", "127.0.0.1:0"};
        words.insert(words.end(), more.begin(), more.end());
        program = std::make_unique<ChildProcess>(command(words));
        robots = last_word(program->read_line(limit).value_or(""));
        ask = last_word(program->read_line(limit).value_or(""));
        ask = ask.substr(7, ask.size() - 8);  // http://…/
    }
    static std::string last_word(const std::string& line) { return line.substr(line.rfind(' ') + 1); }
    ChildProcess::End run(Words words) const {
        words.insert(words.end(), {"--station", ask});
        ChildProcess child(command(words));
        return end_of(child);
    }
    ChildProcess::End end_station() const {
        program->signal(SIGINT);
        return end_of(*program);
    }

    std::unique_ptr<ChildProcess> program;
    std::string robots;
    std::string ask;
    TemporaryFolder folder;
};

TEST_F(StationCli, CarriesCommandsAndStopsRobotsBeforeItEnds) {
    start();
    RunningRobot running(robots);
    EXPECT_THAT(run({"robots"}).out, AllOf(HasSubstr("ROBOT"), HasSubstr("rover            run1")));
    EXPECT_EQ(run({"send", "rover", "move_forward", "level=2"}).out, "DONE\n");
    const auto unknown = run({"send", "rovr", "ping"});
    EXPECT_EQ(unknown.code, 1);
    EXPECT_THAT(unknown.err, HasSubstr("did you mean `rover`?"));
    EXPECT_THAT(run({"route", "stat", "rover"}).err, HasSubstr("did you mean `start`?"));
    const auto wrong = run({"send", "rover", "move_sideways"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("UNKNOWN_COMMAND: there is no command `move_sideways`"));
    const auto fly = run({"send", "rover", "fly"});
    EXPECT_EQ(fly.code, 2);
    EXPECT_THAT(fly.err,
                AllOf(StartsWith("caribou send: error: UNKNOWN_COMMAND: there is no command `fly`; the "
                                 "commands are `set_run_mode`, "),
                      HasSubstr("`move_forward`")));
    const auto near = run({"send", "rover", "move_foward"});
    EXPECT_EQ(near.code, 2);
    EXPECT_EQ(near.err,
              "caribou send: error: UNKNOWN_COMMAND: there is no command `move_foward`; did you mean "
              "`move_forward`?\n");
    const auto argument = run({"send", "rover", "move_forward", "levl=2"});
    EXPECT_EQ(argument.code, 2);
    EXPECT_THAT(argument.err, HasSubstr("error: BAD_ARGUMENT: "));
    EXPECT_EQ(run({"route", "load", "rover", "1,0", "1,2"}).out, "DONE\n");
    EXPECT_THAT(run({"route", "show", "rover"}).out, HasSubstr(">   1  1.00,0.00"));
    EXPECT_THAT(run({"route", "pause", "rover"}).err, HasSubstr("WRONG_MODE: it is not driving"));
    EXPECT_EQ(run({"route", "clear", "rover"}).out, "DONE\n");
    EXPECT_EQ(run({"route", "show", "rover"}).out, "rover has no route\n");
    EXPECT_EQ(end_station().code, 0);
    running.wait_for_goodbye();
    running.stop();
    EXPECT_THAT(running.robot.told(), ElementsAre("move_forward level=2", "full_stop"));
    EXPECT_EQ(running.robot.goodbye, "the station ends");
}

TEST_F(StationCli, IsRefusedByTheCheckIfTheStartRefusesIt) {
    const std::string file = folder.write("file", "not a folder");
    const std::string missing = folder / "missing/deep";
    const std::string fresh = folder / "new";
    const std::string free = "listen = \"127.0.0.1:0\"\n";
    const std::string web = "[web]\nlisten = \"127.0.0.1:0\"\n";
    const std::string config = folder / "station.toml";
    const Words words{"station", "--config", config, "--keys", folder / "keys"};
    const auto run_with = [&](const std::string& text, bool only_check) {
        std::ofstream(config) << text;
        Words all = words;
        if (only_check) all.emplace_back("--check-config");
        ChildProcess child(command(all));
        return end_of(child);
    };
    for (const auto& [text, why] :
         {std::pair("listen = \"0.0.0.0:0\"\n" + web, std::string("no keys in")),
          {free + "[web]\nlisten = \"192.0.2.1:0\"\nobserve_token = \"0123456789abcdef\"\n",
           "cannot listen for HTTP at 192.0.2.1"},
          {free + web + "[record]\nfolder = \"" + file + "\"\n", "cannot open the directory"},
          {free + web + "[record]\nfolder = \"" + missing + "\"\n", "cannot make the directory"},
          {free + web + "[topics]\ntransport = \"dds\"\ninsecure_lan = true\ninterface = \"nosuch0\"\n",
           "DDS"}})
        for (const bool only_check : {true, false}) {
            const auto end = run_with(text, only_check);
            EXPECT_EQ(end.code, 1) << text;
            EXPECT_THAT(end.err, HasSubstr(why)) << text;
        }
    const auto good = run_with(free + web + "[record]\nfolder = \"" + fresh + "\"\n", true);
    EXPECT_EQ(good.code, 0) << good.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "new"));
}

TEST_F(StationCli, DeletesRecordingsOnRequestAndThoseOfCamerasByTheirAge) {
    const std::string records = folder / "records";
    std::filesystem::create_directory(records);
    std::ofstream(records + "/20200101-000000-0001-camera.mcap") << "old images";
    std::ofstream(records + "/20200101-000000-0002.mcap") << "not a recording";
    start({"--record", records});
    const auto list = run({"recordings", "list"});
    EXPECT_THAT(list.out, AllOf(HasSubstr("20200101-000000-0002"), Not(HasSubstr("camera")))) << list.err;
    EXPECT_FALSE(std::filesystem::exists(records + "/20200101-000000-0001-camera.mcap"));
    EXPECT_EQ(run({"recordings", "delete", "20200101-000000-0002"}).out, "DONE\n");
    EXPECT_FALSE(std::filesystem::exists(records + "/20200101-000000-0002.mcap"));
    const auto missing = run({"recordings", "delete", "20200101-000000-0002"});
    EXPECT_EQ(missing.code, 1);
    EXPECT_THAT(missing.err, HasSubstr("there is no recording `20200101-000000-0002`"));
    EXPECT_EQ(end_station().code, 0);
}

TEST_F(StationCli, IsReportedAsHangingWhenItIsSuspended) {
    start();
    program->signal(SIGSTOP);
    const auto robots = run({"robots"});
    program->signal(SIGCONT);
    EXPECT_EQ(robots.code, 1);
    EXPECT_THAT(robots.err, HasSubstr("accepts connections and does not answer"));
    EXPECT_EQ(run({"robots"}).code, 0);
}

TEST_F(StationCli, RecordsAndShowsRecordings) {
    const std::string records = folder / "records";
    start({"--record", records});
    {
        RunningRobot running(robots);
        EXPECT_EQ(run({"send", "rover", "ping"}).out, "DONE\n");
        EXPECT_EQ(end_station().code, 0);
    }
    std::string recording;
    for (const auto& entry : std::filesystem::directory_iterator(records))
        if (entry.path().extension() == ".mcap") recording = entry.path();
    ASSERT_NE(recording, "");
    program = std::make_unique<ChildProcess>(
        command({"station", "--replay", recording, "--speed", "100", "--web", "127.0.0.1:0"}));
    EXPECT_THAT(program->read_line(limit).value_or(""), HasSubstr("replays the recording"));
    ask = last_word(program->read_line(limit).value_or(""));
    ask = ask.substr(7, ask.size() - 8);
    EXPECT_THAT(run({"robots"}).out,
                AllOf(HasSubstr("rover "), HasSubstr(" replay "), HasSubstr("This is the recording"),
                      HasSubstr("no robot is live")));
    EXPECT_THAT(run({"robots", "--json"}).out,
                AllOf(HasSubstr(R"("age":null)"), HasSubstr(R"("replay":true)")));
    for (const Words& words : {Words{"send", "rover", "move_forward"}, Words{"send", "rover", "full_stop"},
                               Words{"send", "@all", "full_stop"}, Words{"route", "start", "rover"}}) {
        const auto refused = run(words);
        EXPECT_EQ(refused.code, 1);
        EXPECT_THAT(refused.err, HasSubstr("UNAVAILABLE: this is a recording"));
    }
    EXPECT_THAT(run({"drive", "rover"}).err, HasSubstr("this is the recording"));
    const auto end = end_station();
    EXPECT_EQ(end.code, 0);
    EXPECT_THAT(end.err, Not(HasSubstr("stopping the robots")));
}

TEST_F(StationCli, DrivesFromTheKeyboard) {
    start();
    RunningRobot running(robots);
    TerminalProcess terminal(command({"drive", "rover", "--station", ask}));
    EXPECT_TRUE(terminal.shows("forward", limit)) << terminal.shown();
    terminal.press("2w");
    EXPECT_TRUE(terminal.shows("answer     DONE", limit)) << terminal.shown();
    terminal.press("x");
    EXPECT_EQ(terminal.wait(limit), 0);
    EXPECT_EQ(end_station().code, 0);
    running.stop();
    EXPECT_THAT(running.robot.told().front(), HasSubstr("move movement=MOVE_FW_2 ttl=400ms"));
    EXPECT_THAT(running.robot.told(), testing::Contains("move movement=HALT"));
}

TEST_F(StationCli, ListsAStopThatIsNotConfirmedUntilItIsDismissed) {
    const TemporaryFolder folder;
    start({"--config", folder.write("station.toml", "robots = [\"rover\"]\n")});
    EXPECT_THAT(run({"robots"}).out, Not(HasSubstr("STOP")));
    EXPECT_THAT(run({"send", "rover", "dismiss_stop"}).err, HasSubstr("no stop of rover is unconfirmed"));
    EXPECT_EQ(run({"send", "rover", "full_stop"}).code, 1);
    EXPECT_THAT(
        run({"robots"}).out,
        testing::ContainsRegex("STOP NOT CONFIRMED for [0-9]+ s \\([^ ]+-send#[0-9]+\\): rover is not"));
    EXPECT_THAT(run({"robots", "--json"}).out, testing::ContainsRegex("\"stop_pending\":[0-9]+\\.[0-9]"));
    EXPECT_EQ(run({"send", "rover", "dismiss_stop"}).out, "DONE: it is sent no more\n");
    EXPECT_THAT(run({"robots"}).out, Not(HasSubstr("STOP")));
    EXPECT_THAT(run({"robots", "--json"}).out, HasSubstr(R"("stop_pending":null)"));
}

TEST_F(StationCli, ShowsWhoDrivesAndWhyWhenAKeyIsRefused) {
    start();
    RunningRobot running(robots);
    const Words drive = command({"drive", "rover", "--station", ask});
    TerminalProcess first(drive);
    ASSERT_TRUE(first.shows("forward", limit)) << first.shown();
    first.press("t");
    ASSERT_TRUE(first.shows("answer     DONE", limit)) << first.shown();
    TerminalProcess second(drive);
    ASSERT_TRUE(second.shows("forward", limit)) << second.shown();
    second.press("w");
    // The end of the key sends a halt, which everybody may.
    ASSERT_TRUE(second.shows("answer     DONE", limit)) << second.shown();
    EXPECT_TRUE(second.shows("REFUSED    MOVE_FW_1, 1 s ago: NO_LEASE: ", limit)) << second.shown();
    EXPECT_THAT(second.shown(),
                testing::ContainsRegex("NO_LEASE: [^ ]*-drive#[0-9]+ drives; take_lease takes"));
    second.press("x");
    EXPECT_EQ(second.wait(limit), 0);
    EXPECT_THAT(second.shown(), HasSubstr("caribou drive: refused: MOVE_FW_1: NO_LEASE: "));
    first.press("x");
    EXPECT_EQ(first.wait(limit), 0);
    EXPECT_EQ(end_station().code, 0);
    running.stop();
}

/// Watches two views of the robot `rover` until both have arrived.
class ViewWatcher final : TextChannelEvents {
public:
    explicit ViewWatcher(const std::string& station)
        : channel_(dial_web_socket(loop_, {.at = Address::parse(station).value(), .target = "/api/v1/stream"},
                                   *this)) {}
    bool sees_both() {
        return loop_.run_until([this] { return scan_ && health_; }, limit);
    }

private:
    void on_open() override {
        channel_->send(R"({"type":"watch","robots":["rover"],"views":["scan","health"]})");
    }
    void on_text(std::string_view text) override {
        scan_ |= text.contains(R"("encoding":"delta")");
        health_ |= text.contains(R"("health":{)");
    }
    void on_closed(std::string_view) override { loop_.stop(); }

    EventLoop loop_;
    std::unique_ptr<TextChannel> channel_;
    bool scan_ = false;
    bool health_ = false;
};

TEST_F(StationCli, ReadsViewsWhereItsRobotShowsThem) {
    ChildProcess db(command({"db", "--port", "0", "--quiet"}));
    const std::string broker = last_word(db.read_line(limit).value_or(""));
    start({"--config",
           folder.write("s.toml", fmt::format("[topics]\ntransport = \"bus\"\nbroker = \"{}\"\n", broker))});
    const ChildProcess robot(command(
        {"robot", "--config",
         folder.write("r.toml", fmt::format("name = \"rover\"\nReceivePort = 0\nSendPort = {}\n[link]\n"
                                            "plain = true\n[bus]\naddress = \"{}\"\n[topics]\n"
                                            "transport = \"bus\"\n",
                                            Address::parse(robots)->port, broker))}));
    EXPECT_TRUE(ViewWatcher(ask).sees_both());
    const std::string port = broker.substr(broker.rfind(':') + 1);
    EXPECT_THAT(tests::run({"topics", "list", "--port", port}).out, HasSubstr("/rover/health"));
    EXPECT_EQ(end_station().code, 0);
}

TEST(StationConfigCli, SaysAllThatIsWrong) {
    const TemporaryFolder folder;
    const std::string path = folder / "s.toml";
    std::ofstream(path) << "nam = \"x\"\n[link]\nheartbeat = 99\n";
    ChildProcess child(command({"station", "--config", path}));
    const auto end = end_of(child);
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.err, AllOf(HasSubstr("s.toml:1:1: there is no key `nam`; did you mean `name`?"),
                               HasSubstr("s.toml:3:13: link.heartbeat is")));
}

TEST(StationLinkCli, SaysThatNoStationAnswers) {
    ChildProcess child(command({"robots", "--station", "127.0.0.1:1"}));
    const auto end = end_of(child);
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.err, AllOf(HasSubstr("no station answers at 127.0.0.1:1"), HasSubstr("caribou station")));
}

}  // namespace
}  // namespace caribou::tests
