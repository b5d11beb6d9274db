// A real robot and a real station on one virtual clock.

#include <deque>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "archive/mcap.hpp"
#include "base/json_node.hpp"
#include "robot/inner_link.hpp"
#include "robot/robot_rig.hpp"
#include "station/station.hpp"
#include "station/station_recorder.hpp"

namespace caribou::sim {
namespace {

using namespace std::chrono_literals;
using station::Section;
using station::Station;
using testing::HasSubstr;
using views::View;

class StationAndRobot : public testing::Test {
protected:
    StationAndRobot() {
        const auto at = station.fleet().listen(Address::ip("127.0.0.1", 0));
        rig.make(at.value().port);
        rig.start();
        EXPECT_TRUE(rig.loop.run_until([&] { return connected(); }, 10s));
    }
    station::RobotSession* session() { return station.fleet().find(rig.config.name); }
    bool connected() {
        const auto* const found = session();
        return found && station::is_running(found->mode()) && found->telemetry();
    }
    void want(std::set<View> views) {
        station.want({{rig.config.name, std::move(views)}});
        rig.loop.advance(2s);
    }
    JsonNode section(Section which) {
        const std::string json = station.section(rig.config.name, which);
        return json.empty() ? JsonNode{} : read_json(json).value();
    }
    /// Returns the answers that come within 300 ms; later ones are dropped.
    std::string tell(std::string_view command) {
        const auto told = std::make_shared<std::string>();
        session()->send(link::command_from(command).value(), {"ann", link::Role::admin},
                        [told](const link::Answer& answer) { *told += to_string(answer) + " "; });
        rig.loop.advance(300ms);
        return *told;
    }

    robot::RobotRig rig;
    Station station{rig.loop, rig.network, station::FleetSettings{}, rig.log};
};

TEST_F(StationAndRobot, DriveAndStop) {
    EXPECT_THAT(tell("move_forward level=2 ttl=300ms"), HasSubstr("DONE"));
    rig.loop.advance(1s);
    EXPECT_EQ(rig.body.driven.right, 0) << "the dead-man";
    EXPECT_THAT(tell("full_stop"), HasSubstr("DONE"));
    EXPECT_TRUE(session()->telemetry()->stopped);
}

TEST_F(StationAndRobot, ShowBehaviorsOnlyWhileTheyAreWanted) {
    EXPECT_EQ(station.section(rig.config.name, Section::behaviors), "");
    want({View::behaviors});
    EXPECT_EQ(section(Section::behaviors).find("tree")->items.at(0).find("id")->text, "spin");
    EXPECT_THAT(tell("set_run_mode mode=2"), HasSubstr("DONE"));
    rig.loop.advance(1s);
    EXPECT_EQ(section(Section::behaviors).find("stack")->items.at(0).text, "spin");
    want({});
    EXPECT_EQ(station.section(rig.config.name, Section::behaviors), "");
}

TEST_F(StationAndRobot, StartABehaviorByHandAndForceItsConditions) {
    EXPECT_THAT(tell("behaviors line=\"start spin\""), HasSubstr("RM2"));
    EXPECT_THAT(tell("set_run_mode mode=2"), HasSubstr("DONE"));
    EXPECT_THAT(tell("behaviors line=\"start spin\""), HasSubstr("DONE"));
    EXPECT_THAT(tell("behaviors line=\"start spun\""), HasSubstr("did you mean `spin`?"));
    EXPECT_THAT(tell("behaviors line=\"force spin 0 maybe\""), HasSubstr("true|false|free"));
    EXPECT_THAT(tell("behaviors line=\"force spin 0 true\""), HasSubstr("spin has 0 conditions"));
    want({View::behaviors});
    EXPECT_THAT(station.section(rig.config.name, Section::behaviors), HasSubstr("started by hand"));
}

TEST_F(StationAndRobot, TellWhyABehaviorThatWasStartedByHandDeclines) {
    EXPECT_THAT(tell("set_run_mode mode=2"), HasSubstr("DONE"));
    rig.wants_to_spin = false;
    EXPECT_THAT(tell("behaviors line=\"start spin\""), testing::IsEmpty()) << "it may still want to";
    std::string told;
    session()->send(link::command_from("behaviors line=\"start spin\"").value(), {"ann", link::Role::admin},
                    [&told](const link::Answer& answer) { told = to_string(answer); });
    rig.loop.advance(3s);
    EXPECT_THAT(told, HasSubstr("UNAVAILABLE: spin declines: "));
    EXPECT_THAT(told, HasSubstr("it is dizzy"));
    rig.wants_to_spin = true;
    EXPECT_THAT(tell("behaviors line=\"start spin\""), HasSubstr("DONE: spin is active"));
}

TEST_F(StationAndRobot, ShowScanCubesHealthAndHowTopicsWereNegotiated) {
    want({View::scan, View::cubes, View::health, View::topics});
    EXPECT_EQ(section(Section::cubes).find("coordinator")->find("state")->text, "unconnected");
    const JsonNode health = section(Section::health);
    EXPECT_EQ(health.find("threads")->items.size(), robot::thread_count - 3)
        << "without signals, latch and bus";
    EXPECT_EQ(health.find("threads")->items.at(0).find("state")->text, "running");
    EXPECT_FALSE(health.find("steps")->items.empty());
    EXPECT_FALSE(health.find("may")->items.at(3).find("allowed")->truth) << "it is in RM3 already";
    EXPECT_GT(health.find("link")->find("samples")->number, 0);
    EXPECT_EQ(health.find("link")->find("dropped")->number, 0);
    const JsonNode topics = section(Section::topics);
    EXPECT_EQ(topics.find("reports")->items.size(), 3U);
    EXPECT_TRUE(topics.find("reports")->items.at(0).find("success")->truth);
}

TEST_F(StationAndRobot, LetCommandsPassViewsOnASlowSession) {
    std::deque<station::ViewReader> crowd;
    for (int i = 0; i < 20; ++i)
        crowd.emplace_back(rig.loop, session()->topics(), rig.config.name, [](View) {}).want({View::health});
    rig.network.set_faults({.min_delay = 100ms, .max_delay = 100ms, .stream_buffer = 1024});
    rig.loop.advance(1min);  // the pending bytes now take half a minute to be sent
    EXPECT_TRUE(station::is_running(session()->mode())) << session()->why();
    for (const std::string_view command : {"ping text=slow", "status", "full_stop"}) {
        std::string told;
        session()->send(link::command_from(command).value(), {"ann", link::Role::admin},
                        [&told](const link::Answer& answer) { told = to_string(answer); });
        EXPECT_TRUE(rig.loop.run_until([&] { return !told.empty(); }, 2s)) << command;
        EXPECT_THAT(told, HasSubstr("DONE"));
        if (command == "status") {
            EXPECT_THAT(told, testing::ContainsRegex("views [0-9]+ sent, [1-9][0-9]* dropped"));
        }
    }
}

TEST_F(StationAndRobot, RecordViewsThatNobodyWatches) {
    class Sink final : public station::RecordingSink {
    public:
        void write(station::RecordingBatch batch) override {
            writer.add(batch.messages);
            if (batch.last) mcap = writer.finish();
        }
        std::uint64_t lost() const override { return 0; }
        std::uint64_t written() const override { return 0; }
        void forget(const std::string&) override {}
        wire::McapWriter writer{{}};
        Bytes mcap;
    } sink;
    station::StationRecorder recorder(rig.loop, station, sink,
                                      {.views = {View::health, View::behaviors, View::scan}});
    rig.body.say("lidar", std::make_shared<const motion::LidarScan>(
                              motion::LidarScan{0, 0.07, std::vector<float>(90, 2.0F)}));
    recorder.start();
    rig.loop.advance(3s);
    recorder.finish();
    std::set<std::string> topics;
    std::size_t whole_scans = 0;
    auto reader = wire::McapReader::open(sink.mcap).value();
    while (const auto message = reader.next()) {
        topics.emplace(message->channel->topic);
        if (message->channel->topic != "/cbot/scan") continue;
        const JsonNode scan = read_json(text_of(message->data)).value();
        if (scan.find("ranges")->items.size() > 36) ++whole_scans;
    }
    EXPECT_GE(whole_scans, 1U) << "with more ranges than telemetry holds";
    EXPECT_THAT(topics, testing::IsSupersetOf({"/cbot/health", "/cbot/behaviors", "/cbot/motion"}));
    EXPECT_THAT(topics, testing::Not(testing::Contains("/cbot/cubes")));
    rig.loop.advance(1s);
    EXPECT_EQ(station.section(rig.config.name, Section::health), "") << "nobody wants it any more";
}

/// A station inside the robot, as used by its own page, while the robot belongs to another station.
class StationWithin : public testing::Test {
protected:
    StationWithin() {
        rig.robot->main().on_healthy([this] { link.beat(); });
        rig.start_connected();
        EXPECT_TRUE(link.start());
        rig.loop.advance(5s);
    }
    station::RobotSession& session() { return *station.fleet().find(rig.config.name); }
    std::string tell(std::string_view command) {
        std::string told;
        session().send(link::command_from(command).value(), {"ann", link::Role::admin},
                       [&told](const link::Answer& answer) { told += to_string(answer); });
        rig.loop.advance(300ms);
        return told;
    }

    robot::RobotRig rig;
    MemoryNetwork inside{rig.loop};
    Station station{
        rig.loop, inside,
        station::FleetSettings{.session = {.station = "own page", .takes_over_by_driving = false}}, rig.log};
    robot::InnerLink link{
        rig.strand,
        inside,
        *rig.buffers,
        rig.log,
        {.submit =
             [this](robot::Request request) {
                 rig.robot->command(std::move(request), motion::StopCause::operator_);
             },
         .ask_view = [this](const robot::ViewRequest& request,
                            robot::TellView told) { rig.robot->ask_view(request, std::move(told)); }},
        {.robot = rig.config.name, .station = station.fleet().listen(Address::ip("127.0.0.1", 0)).value()}};
};

TEST_F(StationWithin, SeesTheRobotAndTakesNobodysPlace) {
    ASSERT_TRUE(station::is_running(session().mode())) << "longer than a silence lasts: there are heartbeats";
    ASSERT_TRUE(session().telemetry());
    EXPECT_EQ(session().telemetry()->run_mode, link::RunMode::rm3);
    station.want({{rig.config.name, {View::health}}});
    rig.loop.advance(2s);
    EXPECT_THAT(station.section(rig.config.name, Section::health), HasSubstr("threads"));
    EXPECT_THAT(rig.tell("move_forward level=1 ttl=300ms"), testing::ElementsAre("DONE"));
    EXPECT_THAT(tell("move_forward level=1 ttl=300ms"), HasSubstr("NO_LEASE"));
}

TEST_F(StationWithin, TakesTheLeaseOnRequestAndNotByDriving) {
    EXPECT_THAT(rig.tell("move_forward level=1 ttl=2s"), testing::ElementsAre("DONE"));
    EXPECT_EQ(tell("move_forward level=1"), "NO_LEASE: station drives; take_lease takes over");
    EXPECT_EQ(session().driver(), "") << "the robot has granted it to nobody here";
    EXPECT_NE(rig.body.driven, motion::WheelSpeeds{}) << "the station drives on";
    EXPECT_EQ(tell("take_lease"), "DONE: own page has taken the lease from station");
    EXPECT_EQ(session().driver(), "ann");
    EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{}) << "it halts";
    EXPECT_TRUE(rig.log.mentions("own page has taken the lease from station"));
    EXPECT_THAT(rig.station.errors, testing::Contains("own page has taken the lease from station"));
    EXPECT_EQ(tell("move_forward level=1 ttl=300ms"), "DONE");
    EXPECT_THAT(rig.tell("move_forward level=1"),
                testing::ElementsAre("NO_LEASE: own page drives; take_lease takes over"));
}

TEST_F(StationWithin, StopsTheRobotAndIsToldItsReports) {
    EXPECT_THAT(tell("full_stop"), HasSubstr("DONE"));
    EXPECT_EQ(rig.propulsion->report().stop, motion::StopCause::operator_);
    rig.buffers->report_error("the floor is lava");
    rig.loop.advance(100ms);
    EXPECT_TRUE(rig.log.mentions("the floor is lava"));
}

TEST_F(StationWithin, LeavesTheRobotWithItsStationAndComesBack) {
    session().hang_up("the page was closed");
    rig.loop.advance(100ms);
    EXPECT_EQ(rig.mode(), link::RunMode::rm3);
    rig.loop.advance(2s);
    EXPECT_TRUE(station::is_running(session().mode()));
    EXPECT_THAT(rig.tell("ping text=here"), testing::ElementsAre("DONE: here"));
}

}  // namespace
}  // namespace caribou::sim
