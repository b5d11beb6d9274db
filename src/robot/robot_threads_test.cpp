// Unit tests of the threads.

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json_node.hpp"

#include "bus/broker_server.hpp"
#include "robot/robot_bus.hpp"
#include "robot/robot_rig.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

TEST(StartUp, StartsEachWhenTheOneBeforeHasReported) {
    StartUp start({{ThreadName::propulsion}, {ThreadName::telemetry}}, 5s);
    Instant now{};
    EXPECT_EQ(start.next(now), ThreadName::propulsion);
    EXPECT_EQ(start.next(now), std::nullopt);
    start.on_started(ThreadName::telemetry, {}, Instant{});  // out of order
    EXPECT_EQ(start.next(now), std::nullopt);
    start.on_started(ThreadName::propulsion, {}, Instant{});
    EXPECT_EQ(start.next(now), ThreadName::telemetry);
    EXPECT_FALSE(start.done());
    start.on_started(ThreadName::telemetry, {}, Instant{});
    EXPECT_TRUE(start.done());
}

TEST(StartUp, WaitsNoLongerThanItMay) {
    StartUp start({{ThreadName::receiver}}, 5s);
    EXPECT_EQ(start.next(Instant{}), ThreadName::receiver);
    EXPECT_EQ(start.due(), Instant{5s});
    start.tick(Instant{4999ms});
    EXPECT_FALSE(start.failure());
    start.tick(Instant{5s});
    EXPECT_EQ(start.failure(), "receiver: it did not report within 5s");
    EXPECT_FALSE(start.done());
}

TEST(StartUp, GoesOnWithoutWhatIsNotRequired) {
    StartUp start({{ThreadName::ai, false}, {ThreadName::receiver}}, 5s);
    EXPECT_EQ(start.next(Instant{}), ThreadName::ai);
    start.on_started(ThreadName::ai, fail(Code::malformed, "no tree"), Instant{});
    EXPECT_FALSE(start.failure());
    ASSERT_TRUE(start.complaint_of(ThreadName::ai));
    EXPECT_EQ(*start.complaint_of(ThreadName::ai), "no tree");
    EXPECT_EQ(start.next(Instant{}), ThreadName::receiver);
}

TEST(RobotThreads, ShowMotionAsUnknownOncePropulsionDoesNotReport) {
    RobotRig rig;
    rig.start_connected();
    EXPECT_THAT(rig.tell("move_forward ttl=2s"), ElementsAre("DONE"));
    rig.loop.advance(500ms);
    EXPECT_EQ(rig.station.telemetry.back().movement_state, motion::MovementState::forward);
    EXPECT_GT(rig.station.telemetry.back().right.speed, 0.0F);
    rig.propulsion->stop();
    rig.loop.advance(400ms);
    const link::Telemetry& shown = rig.station.telemetry.back();
    EXPECT_EQ(shown.movement_state, motion::MovementState::unknown);
    EXPECT_TRUE(std::isnan(shown.right.speed) && std::isnan(shown.left.speed));
    EXPECT_EQ(shown.right.level, 0);
    EXPECT_EQ(shown.winner, "");
    EXPECT_EQ(shown.reason, "motion_unknown");
    EXPECT_THAT(rig.tell("status"), ElementsAre(HasSubstr("moves unknown (nobody, motion_unknown)")));
}

TEST(AnswerBook, RemembersAnswersAndKeepsItsLimits) {
    AnswerBook book;
    std::vector<link::Answer> heard;
    const auto request = [&](std::uint64_t id) {
        return Request{
            {"station"}, {.id = {id}}, [&](const link::Answer& answer) { heard.push_back(answer); }};
    };
    EXPECT_EQ(book.open(request(1)), AnswerBook::Entry::fresh);
    EXPECT_EQ(book.open(request(1)), AnswerBook::Entry::repeated);
    book.answer({"station", 1}, link::Answer::accepted({1}));
    book.answer({"station", 1}, link::Answer::done({1}));
    EXPECT_THAT(heard, SizeIs(4));  // both askers receive both
    EXPECT_EQ(book.open(request(1)), AnswerBook::Entry::repeated);
    EXPECT_THAT(heard, SizeIs(5));
    for (std::uint64_t id = 2; id < 2 + AnswerBook::max_open; ++id)
        EXPECT_EQ(book.open(request(id)), AnswerBook::Entry::fresh);
    EXPECT_EQ(book.open(request(9999)), AnswerBook::Entry::full);
    book.refuse_all({link::Refusal::busy, "it ends"});
    EXPECT_EQ(book.open_count(), 0U);
    EXPECT_THAT(heard, SizeIs(5 + AnswerBook::max_open));
}

TEST(ThreadTelemetry, DropsARoundRatherThanWaitForAReader) {
    RobotRig rig;
    rig.start();
    rig.loop.advance(6s);  // it waits for a station, and there is no other reader
    const auto before = rig.buffers->telemetry_buffer.copy();
    {
        const Locked reader(rig.buffers->telemetry_buffer.lock());
        rig.loop.advance(1s);
    }
    EXPECT_EQ(rig.buffers->telemetry_buffer.copy(), before);
    rig.loop.advance(100ms);
    EXPECT_GE(rig.buffers->telemetry_buffer.copy()->number, before->number + 10);
}

TEST(ThreadTelemetry, ReadsTheSensorArrayAnewInEachRound) {
    RobotRig rig("DefaultComMode = 0\nDefaultRunMode = 2");
    rig.start();
    rig.loop.advance(500ms);
    rig.buffers->sensor_array.write({rig.body.index("battery"), rig.body.index("rear")});
    rig.loop.advance(200ms);
    const auto round = rig.buffers->telemetry_buffer.copy();
    ASSERT_THAT(round->samples, SizeIs(2));
    EXPECT_EQ(round->samples.front().sensor, rig.body.index("battery"));
    ASSERT_TRUE(round->find<double>(rig.body.index("rear")));
    EXPECT_FALSE(round->find<double>(rig.body.index("front")));
}

TEST(ThreadTelemetry, ReportsTheBatteryAsUnknownWhenItIsNotRead) {
    RobotRig rig("DefaultRunMode = 2");
    rig.start_connected();
    rig.loop.advance(1s);
    EXPECT_EQ(link::level_text(rig.buffers->telemetry_buffer.copy()->summary.battery), "100 %");
    EXPECT_THAT(rig.tell("disable_sensor sensor=battery"), ElementsAre("DONE"));
    rig.loop.advance(200ms);
    const data::Battery unread = rig.buffers->telemetry_buffer.copy()->summary.battery;
    EXPECT_TRUE(std::isnan(unread.level) && std::isnan(unread.volts) && std::isnan(unread.amperes));
    EXPECT_THAT(rig.tell("status"), ElementsAre(HasSubstr("\nbattery unknown, at ")));
    EXPECT_THAT(rig.tell("behaviors line=facts"), ElementsAre(Not(HasSubstr("battery = "))));
}

TEST(ThreadTelemetry, ReportsTheBatteryAsUnknownWhenTelemetryIsDisabled) {
    RobotRig rig;
    rig.start_connected();
    rig.loop.advance(2s);
    EXPECT_THAT(rig.tell("status"), ElementsAre(HasSubstr("\nbattery 100 %")));
    EXPECT_THAT(rig.tell("disable_telemetry"), ElementsAre("DONE"));
    rig.loop.advance(1s);
    EXPECT_THAT(rig.tell("status"), ElementsAre(HasSubstr("\nbattery unknown")));
}

class RobotBusTest : public testing::Test {
protected:
    void join(bool drive, std::string_view stored = "", double ahead = 0) {
        ASSERT_TRUE(broker.listen(Address::ip("127.0.0.1", 9000)));
        if (!stored.empty()) {
            bus::Client writer{rig.loop, rig.network, {.name = "writer"}};
            ASSERT_TRUE(writer.start());
            rig.loop.advance(300ms);
            EXPECT_TRUE(writer.notify("CBOT_CMD", stored, {.time = writer.stamp() + ahead}));
            rig.loop.advance(300ms);
        }
        robot_bus = std::make_unique<RobotBus>(
            strand, rig.network, *rig.buffers, rig.log,
            [this](Request request) { rig.robot->command(std::move(request)); },
            RobotBus::Options{.robot = "cbot",
                              .broker = Address::ip("127.0.0.1", 9000),
                              .drive = drive,
                              .facts = {"DEPTH", "WEATHER"}},
            [this](const std::string& name, behavior::Value value) {
                rig.robot->ai().hear_bus(name, std::move(value));
            });
        ASSERT_TRUE(robot_bus->start());
        reader.on_other_mail([this](const wire::MessageView& mail) {
            values[std::string(mail.key)] =
                mail.is_number() ? std::to_string(mail.value) : std::string(mail.payload);
        });
        ASSERT_TRUE(reader.start());
        ASSERT_TRUE(reader.register_wildcard("CBOT_*", "*"));
        rig.start_connected();
        rig.loop.advance(2s);
    }
    std::string tell(std::string_view command) {
        values["CBOT_ANSWER"].clear();
        EXPECT_TRUE(reader.notify("CBOT_CMD", command));
        rig.loop.advance(300ms);
        return values["CBOT_ANSWER"];
    }

    RobotRig rig;
    StallingStrand strand{rig.loop};
    bus::BrokerServer broker{rig.loop, rig.network, {}, rig.log};
    std::map<std::string, std::string> values;
    bus::Client reader{rig.loop, rig.network, {.name = "reader"}};
    std::unique_ptr<RobotBus> robot_bus;
};

TEST_F(RobotBusTest, PublishesWhatTheRobotIsAbout) {
    join(false);
    EXPECT_EQ(values["CBOT_RUN_MODE"], "RM3");
    EXPECT_EQ(values["CBOT_COM_MODE"], "CM3");
    EXPECT_EQ(values["CBOT_STOPPED"], "false");
    EXPECT_TRUE(values.contains("CBOT_BATTERY"));
    EXPECT_TRUE(values.contains("CBOT_FAULTS"));
    EXPECT_EQ(values["CBOT_CUBE"], "unconnected");
    EXPECT_EQ(values["CBOT_PLACES"], "") << "without a map";
    EXPECT_EQ(values["CBOT_ZONES"], "") << "same";
}

TEST_F(RobotBusTest, PublishesTheEventsOfTheCube) {
    join(false);
    EXPECT_THAT(rig.tell("cubes line=\"subscribe game 1min\""), ElementsAre(StartsWith("DONE")));
    rig.loop.advance(20s);
    ASSERT_NE(rig.radio.linked(), nullptr);
    rig.radio.linked()->tap();
    rig.loop.advance(1s);
    EXPECT_THAT(values["CBOT_CUBE_EVENT"], HasSubstr(" tapped"));
    rig.radio.linked()->turn(cubes::UpAxis::x_up);
    rig.loop.advance(2s);
    EXPECT_THAT(values["CBOT_CUBE_EVENT"], HasSubstr(" stopped_moving")) << "the last of several";
}

TEST_F(RobotBusTest, PublishesWhichCubeIsConnectedAndHowItLies) {
    join(false);
    EXPECT_EQ(values["CBOT_CONNECTED_CUBE"], "");
    EXPECT_EQ(values["CBOT_CUBE_LOCALIZED"], "false");
    EXPECT_THAT(rig.tell("cubes line=\"subscribe game 1min\""), ElementsAre(StartsWith("DONE")));
    rig.loop.advance(20s);
    ASSERT_NE(rig.radio.linked(), nullptr);
    EXPECT_EQ(values["CBOT_CONNECTED_CUBE"], rig.radio.linked()->name());
    EXPECT_EQ(values["CBOT_CONNECTED_CUBE_ADDRESS"], to_string(rig.radio.linked()->address()));
    rig.radio.linked()->turn(cubes::UpAxis::x_up);
    rig.loop.advance(2s);
    EXPECT_EQ(values["CBOT_CUBE_UP_AXIS"], "x_up");
    EXPECT_EQ(values["CBOT_CUBE_MOVING"], "false");
    EXPECT_FALSE(values.contains("CBOT_CUBE_DISTANCE")) << "none is in sight";
}

TEST_F(RobotBusTest, LetsNobodyDriveUnlessConfigured) {
    join(false);
    EXPECT_THAT(tell("move_forward"), HasSubstr("NOT_ALLOWED"));
    EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{});
    EXPECT_THAT(tell("status"), HasSubstr("DONE: RM3"));
    EXPECT_THAT(tell("mov_forward"), HasSubstr("did you mean `move_forward`"));
    EXPECT_THAT(tell("full_stop"), HasSubstr("DONE"));
    EXPECT_TRUE(rig.propulsion->report().stop);
}

TEST_F(RobotBusTest, BringsVariablesToTheBehaviorsWithTheirAges) {
    join(false);
    const behavior::Facts& facts = rig.robot->ai().facts();
    EXPECT_EQ(facts.find("bus:DEPTH"), nullptr);
    EXPECT_TRUE(reader.notify("DEPTH", 3.5));
    EXPECT_TRUE(reader.notify("WEATHER", "storm"));
    EXPECT_THAT(rig.tell("setRM(2)"), ElementsAre(HasSubstr("DONE")));
    rig.loop.advance(2s);
    ASSERT_NE(facts.find("bus:DEPTH"), nullptr);
    EXPECT_EQ(*facts.find("bus:DEPTH"), behavior::Value(3.5));
    EXPECT_EQ(*facts.find("bus:WEATHER"), behavior::Value("storm"));
    EXPECT_NEAR(std::get<double>(*facts.find("bus_age:DEPTH")), 2, 0.3);
    EXPECT_TRUE(reader.notify("DEPTH", 4.0));
    rig.loop.advance(200ms);
    EXPECT_EQ(*facts.find("bus:DEPTH"), behavior::Value(4.0));
    EXPECT_LT(std::get<double>(*facts.find("bus_age:DEPTH")), 0.3);
}

TEST_F(RobotBusTest, CarriesOutNoCommandThatWaitedForAFrozenRobot) {
    join(true);
    for (const auto& [command, time] :
         {std::pair("move_forward", 1s), std::pair("set_run_mode mode=2", 3s), std::pair("dock", 3s)}) {
        values["CBOT_ANSWER"].clear();
        strand.hang();
        rig.loop.advance(time);
        EXPECT_TRUE(reader.notify("CBOT_CMD", command));
        rig.loop.advance(10ms);
        strand.go_on();
        rig.loop.advance(300ms);
        EXPECT_THAT(values["CBOT_ANSWER"], HasSubstr("EXPIRED")) << command;
    }
    EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{});
    rig.loop.advance(1s);
    EXPECT_THAT(tell("move_forward"), HasSubstr("DONE"));
}

class StoredCommand : public RobotBusTest, public testing::WithParamInterface<const char*> {};

TEST_P(StoredCommand, IsNotCarriedOutWhenTheRobotJoins) {
    join(true, GetParam());
    EXPECT_THAT(values["CBOT_ANSWER"], HasSubstr("EXPIRED: it was written before"));
    EXPECT_FALSE(rig.propulsion->report().stop);
    EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{});
    EXPECT_THAT(tell("status"), HasSubstr("DONE: RM3"));
    EXPECT_THAT(tell("move_forward"), HasSubstr("DONE"));
    EXPECT_THAT(tell("full_stop"), HasSubstr("DONE"));
}

INSTANTIATE_TEST_SUITE_P(OnTheBus, StoredCommand,
                         testing::Values("move_forward", "set_run_mode mode=5", "set_run_mode mode=2",
                                         "release_stop", "full_stop"));

TEST_F(RobotBusTest, CarriesOutNoStoredCommandOfAWriterWhoseClockIsFast) {
    join(true, "release_stop", 600);
    EXPECT_THAT(values["CBOT_ANSWER"], HasSubstr("EXPIRED: it was written before"));
    values["CBOT_ANSWER"].clear();
    EXPECT_TRUE(reader.notify("CBOT_CMD", "release_stop", {.time = reader.stamp() + 600}));
    rig.loop.advance(300ms);
    EXPECT_THAT(values["CBOT_ANSWER"], HasSubstr("EXPIRED: its time is 600.0 s in the future"));
}

TEST_F(RobotBusTest, ReleasesNoStopByAReleaseThatWaitedInTheBroker) {
    join(true);
    const double written = reader.stamp();
    rig.loop.advance(500ms);
    EXPECT_THAT(rig.tell("full_stop"), ElementsAre(HasSubstr("DONE")));
    rig.loop.advance(500ms);
    EXPECT_TRUE(reader.notify("CBOT_CMD", "release_stop", {.time = written}));
    rig.loop.advance(300ms);
    EXPECT_THAT(values["CBOT_ANSWER"], HasSubstr("NOT_ALLOWED"));
    EXPECT_TRUE(rig.propulsion->report().stop);
}

TEST_F(RobotBusTest, ReleasesNoStopForAProgram) {
    join(true);
    EXPECT_THAT(tell("full_stop"), HasSubstr("DONE"));
    EXPECT_THAT(tell("release_stop"), HasSubstr("NOT_ALLOWED: no program releases a full stop; release it at "
                                                "the station, on the page, by `caribou robot release`"));
    robot_bus->publish("CBOT_CMD", std::string("release_stop"));
    rig.loop.advance(300ms);
    EXPECT_THAT(values["CBOT_ANSWER"], HasSubstr("NOT_ALLOWED")) << "nor for a behavior of the robot itself";
    EXPECT_TRUE(rig.propulsion->report().stop);
    EXPECT_THAT(rig.tell("release_stop"), ElementsAre(HasSubstr("DONE")));
}

TEST_F(RobotBusTest, LimitsTheLinesOfTheLogAndTheShareOfCommandsThatWait) {
    join(false);
    const std::size_t lines = rig.log.lines.size();
    std::size_t done = 0;
    std::size_t busy = 0;
    reader.on_mail("CBOT_ANSWER", [&](const wire::MessageView& mail) {
        done += mail.payload.contains("DONE") ? 1U : 0U;
        busy += mail.payload.contains("BUSY") ? 1U : 0U;
    });
    ASSERT_TRUE(reader.register_variable("CBOT_ANSWER"));
    rig.loop.advance(100ms);
    rig.main_strand.stall();
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(reader.notify("CBOT_CMD", "ping text=hello"));
    rig.loop.advance(300ms);
    EXPECT_EQ(busy, 100 - RobotBus::max_commands);
    EXPECT_TRUE(reader.notify("CBOT_CMD", "full_stop"));
    rig.loop.advance(100ms);
    EXPECT_TRUE(rig.propulsion->report().stop) << "which is never too many";
    rig.main_strand.go_on();
    rig.loop.advance(2s);
    EXPECT_EQ(done, RobotBus::max_commands + 1);
    EXPECT_TRUE(reader.notify("CBOT_CMD", "ping text=again"));
    rig.loop.advance(300ms);
    EXPECT_EQ(done, RobotBus::max_commands + 2);
    EXPECT_LT(rig.log.lines.size(), lines + 30);
    EXPECT_TRUE(rig.log.mentions("commands over the bus: 91 lines were dropped"));
}

TEST_F(RobotBusTest, DrivesNoMovementThatWaitedInTheBroker) {
    join(true);
    for (const char* const command : {"move_forward", "move_forward ttl=1s"}) {
        values["CBOT_ANSWER"].clear();
        EXPECT_TRUE(reader.notify("CBOT_CMD", command, {.time = reader.stamp() - 1.5}));
        rig.loop.advance(300ms);
        EXPECT_THAT(values["CBOT_ANSWER"], HasSubstr("EXPIRED")) << command;
        EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{});
    }
    EXPECT_TRUE(reader.notify("CBOT_CMD", "move_forward ttl=2s", {.time = reader.stamp() - 1.5}));
    rig.loop.advance(300ms);
    EXPECT_THAT(values["CBOT_ANSWER"], HasSubstr("DONE")) << "it lives longer than it waited";
}

TEST_F(RobotBusTest, StopsForAWriterWhoseClockIsSlow) {
    join(true);
    for (const auto& [command, answer] :
         {std::pair("release_stop", "EXPIRED"), {"move movement=HALT", "DONE"}, {"full_stop", "DONE"}}) {
        values["CBOT_ANSWER"].clear();
        EXPECT_TRUE(reader.notify("CBOT_CMD", command, {.time = 1000}));
        rig.loop.advance(300ms);
        EXPECT_THAT(values["CBOT_ANSWER"], HasSubstr(answer)) << command;
    }
    EXPECT_TRUE(rig.propulsion->report().stop);
}

TEST_F(RobotBusTest, DrivesUnderLeaseAndDeadMan) {
    join(true);
    EXPECT_THAT(tell("move_forward level=2"), HasSubstr("DONE"));
    EXPECT_GT(rig.body.driven.right, 0);
    rig.loop.advance(1s);
    EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{});
    EXPECT_THAT(rig.tell("take_lease"), ElementsAre("DONE: station has taken the lease from bus"));
    EXPECT_THAT(tell("move_forward level=2"), HasSubstr("NO_LEASE: station drives"));
    EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{});
}

TEST_F(RobotBusTest, ShowsTheBusToWhoAsksAndWritesThere) {
    join(false);
    const auto line = [&](std::string text) {
        std::string answer;
        robot_bus->ask_line(std::move(text), [&](const Result<std::string>& told) {
            answer = told ? *told : told.error().message;
        });
        rig.loop.advance(300ms);
        return answer;
    };
    EXPECT_EQ(line("poke CBOT_MOOD 1"), "CBOT_MOOD = 1\n");
    EXPECT_EQ(values["CBOT_MOOD"], std::to_string(1.0));
    EXPECT_EQ(line("pin CBOT_MOOD 2"), "CBOT_MOOD = 2\n");
    ASSERT_TRUE(reader.notify("CBOT_MOOD", 7.0));
    rig.loop.advance(300ms);
    EXPECT_EQ(values["CBOT_MOOD"], std::to_string(2.0)) << "it is pinned";
    EXPECT_THAT(line("poke CBOT_MOOD hello"), HasSubstr("CBOT_MOOD holds numbers (2, written by "));
    EXPECT_EQ(values["CBOT_MOOD"], std::to_string(2.0));
    EXPECT_EQ(line("poke CBOT_NAME \"two words\""), "CBOT_NAME = two words\n");
    EXPECT_EQ(line(R"(poke CBOT_NAME "say \"hi\" \\")"), "CBOT_NAME = say \"hi\" \\\n");
    EXPECT_EQ(line("poke CBOT_NAME 5"), "CBOT_NAME = 5\n") << "a string, as the variable holds";
    EXPECT_THAT(line("poek X 1"), HasSubstr("did you mean `poke`?"));
    EXPECT_THAT(line("poke X"), HasSubstr("it is `poke NAME VALUE`"));
    EXPECT_EQ(line("unpin CBOT_MOOD"), "CBOT_MOOD is free again\n");
    std::string json;
    robot_bus->ask_view([&](const ViewPicture& told) { json = std::get<std::string>(told); });
    rig.loop.advance(300ms);
    const auto shown = read_json(json);
    ASSERT_TRUE(shown) << shown.error().message;
    EXPECT_TRUE(shown->find("connected")->truth);
    EXPECT_THAT(
        json,
        HasSubstr(R"("name":"CBOT_MOOD","type":"double","number":2.000000,"cut":false,"source":"cbot")"));
    EXPECT_THAT(json, HasSubstr(R"("name":"reader")"));
}

TEST(RobotFaults, AreOfSimulatedBodiesOnly) {
    RobotRig rig;
    rig.start_connected();
    EXPECT_THAT(rig.tell("faults line=show"), ElementsAre(HasSubstr("UNAVAILABLE: only a simulated body")));
    EXPECT_THAT(rig.tell("bus line=show"), ElementsAre(HasSubstr("UNAVAILABLE: the robot is on no bus")));
}

}  // namespace
}  // namespace caribou::robot
