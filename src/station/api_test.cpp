#include "station/api.hpp"

#include <set>

#include "base/json_text.hpp"
#include "station/api_rig.hpp"
#include "station/fleet_picture.hpp"

namespace caribou::station {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

TEST_F(ApiTest, GreetsThenTellsEverythingThenDifferences) {
    open_station();
    add_robot();
    loop.advance(1s);
    watch(program);
    EXPECT_THAT(program.take("hello"), ElementsAre(HasSubstr(R"("you":"ann#1","role":"admin")")));
    EXPECT_THAT(program.take("state"),
                ElementsAre(testing::AllOf(HasSubstr(R"("full":true)"),
                                           HasSubstr(R"("rover":{"status":{"mode":"run1")"),
                                           HasSubstr(R"("bee":{"status":{"mode":"wait")"))));
    loop.advance(1s);
    const auto differences = program.take("state");
    EXPECT_EQ(differences.size(), 5u) << "five a second";
    for (const std::string& difference : differences)
        EXPECT_THAT(difference,
                    testing::AllOf(HasSubstr("motion"), Not(HasSubstr("bee")), Not(HasSubstr("scan"))));
    say(program, R"({"type":"watch","robots":["rover"],"rate":10})");
    loop.advance(1s);
    EXPECT_NEAR(static_cast<double>(program.take("state").size()), 10, 1);
}

TEST_F(ApiTest, CarriesCommandsAndTheirAnswers) {
    open_station();
    PlayedRobot& robot = add_robot();
    loop.advance(1s);
    watch(program);
    command(program, 7, "move_forward level=2");
    EXPECT_THAT(
        program.take("answer"),
        ElementsAre(
            R"({"type":"answer","id":7,"robot":"rover","kind":"DONE","final":true,"refusal":null,"text":""})"));
    command(program, 7, "move_forward level=2");
    EXPECT_EQ(program.take("answer").size(), 1u) << "answered again";
    EXPECT_THAT(robot.told(), ElementsAre("move_forward level=2")) << "and carried out once";
    command(program, 8, "move_sideways");
    EXPECT_THAT(program.take("answer"), ElementsAre(HasSubstr(R"("refusal":"UNKNOWN_COMMAND")")));
    say(program, R"({"type":"command","id":9,"robot":"rovr","command":"ping"})");
    EXPECT_THAT(program.take("answer"), ElementsAre(HasSubstr("did you mean `rover`?")));
    say(program, "nonsense");
    EXPECT_THAT(program.take("error"), ElementsAre(HasSubstr("malformed JSON")));
}

TEST_F(ApiTest, RefusesAnotherRequestWithAUsedIdButNoFullStop) {
    open_station();
    PlayedRobot& robot = add_robot();
    loop.advance(1s);
    watch(program);
    command(program, 7, "ping");
    EXPECT_THAT(program.take("answer"), ElementsAre(HasSubstr("DONE")));
    command(program, 7, "move_forward level=2");
    EXPECT_THAT(program.take("answer"), ElementsAre(HasSubstr("the id 7 was used for another request")));
    EXPECT_THAT(robot.told(), ElementsAre("ping"));
    command(program, 7, "full_stop");
    EXPECT_THAT(program.take("answer"), ElementsAre(HasSubstr("DONE")));
    EXPECT_THAT(robot.told(), ElementsAre("ping", "full_stop"));
}

TEST_F(ApiTest, DoesNotClaimToHaveStoppedAllWhereThereAreNone) {
    open_station({}, {});
    watch(program);
    say(program, R"({"type":"stop_all","id":1})");
    EXPECT_THAT(program.take("answer"), ElementsAre(HasSubstr("no robot was stopped: none has called yet")));
}

TEST_F(ApiTest, StopsAll) {
    open_station();
    PlayedRobot& robot = add_robot();
    loop.advance(1s);
    watch(program);
    say(program, R"({"type":"stop_all","id":1})");
    EXPECT_THAT(program.take("answer"),
                ElementsAre(testing::AllOf(HasSubstr("1 stopped; bee: UNAVAILABLE"), HasSubstr("REFUSED"))));
    EXPECT_THAT(robot.told(), ElementsAre("full_stop"));
    say(program, R"({"type":"stop_all","id":2,"group":"cats"})");
    EXPECT_THAT(program.take("answer"), ElementsAre(HasSubstr("there is no group `cats`")));
    std::ignore = robot.told();
    say(program, R"({"type":"stop_all","id":3,"group":null})");
    EXPECT_THAT(program.take("answer"), ElementsAre(HasSubstr("1 stopped")));
}

TEST_F(ApiTest, GivesTheLeaseOfWhoHasGoneToTheNext) {
    open_station({.access = {.local_role = link::Role::drive}});
    add_robot();
    loop.advance(1s);
    watch(program);
    Program second;
    watch(second, stream("?name=bob"));
    command(program, 1, "move_forward");
    command(second, 1, "move_forward");
    EXPECT_THAT(second.take("answer"), ElementsAre(HasSubstr("ann#1 drives")));
    program.events->on_closed("gone");
    loop.run_ready();
    EXPECT_EQ(api->watchers(), 1u);
    command(second, 2, "move_forward");
    EXPECT_THAT(second.take("answer"), ElementsAre(HasSubstr("DONE")));
}

TEST_F(ApiTest, GivesTheLeaseOfAPersonToTheAutopilotThatThePersonResumes) {
    open_station();
    add_robot();
    loop.advance(1s);
    watch(program);
    const auto route = [&](int id, const std::string& action, const std::string& more = "") {
        program.events->on_text(
            fmt::format(R"({{"type":"route","id":{},"robot":"rover","action":"{}"{}}})", id, action, more));
        loop.advance(100ms);
        return program.take("answer");
    };
    EXPECT_THAT(route(1, "load", R"(,"route":"points = [[2, 0]]")"), ElementsAre(HasSubstr("DONE")));
    EXPECT_THAT(route(2, "start"), ElementsAre(HasSubstr("DONE")));
    command(program, 3, "move_forward level=1");
    EXPECT_THAT(program.take("answer"), ElementsAre(HasSubstr("DONE")));
    EXPECT_THAT(route(4, "resume"), ElementsAre(HasSubstr("DONE"))) << "the person who drove resumes";
    EXPECT_THAT(route(5, "clear"), ElementsAre(HasSubstr("BUSY")));
    EXPECT_THAT(route(6, "abort"), ElementsAre(HasSubstr("DONE")));
    program.take("state");
    EXPECT_THAT(route(7, "clear"), ElementsAre(HasSubstr("DONE")));
    EXPECT_THAT(program.take("state"), Contains(HasSubstr(R"("route":null)")));
}

TEST_F(ApiTest, LeavesTheLeaseToThePersonWhoseRouteIsRefused) {
    open_station({.access = {.local_role = link::Role::drive}});
    add_robot();
    loop.advance(1s);
    watch(program);
    Program second;
    watch(second, stream("?name=bob"));
    command(program, 1, "move_forward");
    EXPECT_THAT(program.take("answer"), ElementsAre(HasSubstr("DONE")));
    int id = 1;
    for (const char* const action : {"start", "resume"}) {
        program.events->on_text(
            fmt::format(R"({{"type":"route","id":{},"robot":"rover","action":"{}"}})", ++id, action));
        loop.advance(100ms);
        EXPECT_THAT(program.take("answer"), ElementsAre(Not(HasSubstr("DONE")))) << action;
        command(second, id, "move_forward");
        EXPECT_THAT(second.take("answer"), ElementsAre(HasSubstr("ann#1 drives"))) << action;
    }
}

TEST_F(ApiTest, StartsARobotAgainWhereASupervisorOwnsIt) {
    std::map<std::string, StartRequests::OnDone> started;
    open_station({.access = {.local_role = link::Role::admin},
                  .start_again = [&](const std::string& robot, StartRequests::OnDone on_done) {
                      started[robot] = std::move(on_done);
                  }});
    PlayedRobot& robot = add_robot();
    loop.advance(1s);
    watch(program);
    EXPECT_THAT(program.take("hello"), ElementsAre(HasSubstr(R"("supervised":true)")));
    const auto ask = [&](int id) {
        program.events->on_text(fmt::format(R"({{"type":"start_again","id":{},"robot":"rover"}})", id));
        loop.run_ready();
        return program.take("answer");
    };
    EXPECT_THAT(ask(1), ElementsAre(HasSubstr("rover is connected: its program runs")));
    robot.calls = false;
    robot.hang_up();
    loop.advance(1s);
    EXPECT_THAT(ask(2), ElementsAre(HasSubstr(R"("kind":"ACCEPTED","final":false)")));
    started.at("rover")(std::string("it did not respond, and was killed; started, process 7"));
    EXPECT_THAT(program.take("answer"),
                ElementsAre(AllOf(HasSubstr(R"("kind":"DONE","final":true)"),
                                  HasSubstr("it did not respond, and was killed; started, process 7"))));
    EXPECT_THAT(ask(3), ElementsAre(HasSubstr("ACCEPTED")));
    started.at("rover")(fail(Code::unavailable, "cannot start `caribou`"));
    EXPECT_THAT(program.take("answer"),
                ElementsAre(AllOf(HasSubstr(R"("refusal":"FAILED")"), HasSubstr("cannot start `caribou`"))));
}

TEST_F(ApiTest, ShowsAllClientsAStopThatIsNotConfirmedUntilADriverDismissesIt) {
    open_station({.access = {.local_role = link::Role::drive}});
    PlayedRobot& robot = add_robot();
    loop.advance(1s);
    robot.calls = false;
    robot.hang_up();
    loop.advance(5s);
    watch(program);
    EXPECT_THAT(program.take("state"), ElementsAre(HasSubstr(R"("stop_pending":null)")));
    Program other;
    watch(other);
    command(other, 1, "full_stop");
    loop.advance(1s);
    EXPECT_THAT(program.take("state"),
                Contains(AllOf(HasSubstr(R"("stop_pending":{"since":)"), HasSubstr(R"("by":"ann#2")"),
                               HasSubstr(R"("why":"rover is not connected)"))));
    EXPECT_THAT(api->answer({.target = "/metrics", .host = "localhost", .from_outside = false}).body,
                HasSubstr("caribou_station_unconfirmed_stops 1\n"));
    FleetPicture picture;
    EXPECT_TRUE(picture.take(
        api->answer({.target = "/api/v1/state", .host = "localhost", .from_outside = false}).body));
    EXPECT_THAT(pending_stop_text(picture.robots().at("rover").status, picture.now()),
                StartsWith("STOP NOT CONFIRMED for 1 s (ann#2): rover is not connected"));
    say(program, R"({"type":"dismiss_stop","id":1,"robot":"rover"})");
    EXPECT_THAT(program.take("answer"), ElementsAre(HasSubstr("DONE")));
    loop.advance(1s);
    EXPECT_THAT(other.take("state"), Contains(HasSubstr(R"("stop_pending":null)")));
    say(program, R"({"type":"dismiss_stop","id":2,"robot":"rover"})");
    EXPECT_THAT(program.take("answer"), ElementsAre(HasSubstr("no stop of rover is unconfirmed")));
}

TEST_F(ApiTest, LetsAnObserverDismissNoStop) {
    open_station({.access = {.local_role = link::Role::observe}});
    add_robot();
    loop.advance(1s);
    watch(program);
    say(program, R"({"type":"dismiss_stop","id":1,"robot":"rover"})");
    EXPECT_THAT(program.take("answer"), ElementsAre(HasSubstr("dismiss_stop needs the role drive")));
}

TEST_F(ApiTest, StartsNoRobotWithoutASupervisor) {
    open_station();
    PlayedRobot& robot = add_robot();
    loop.advance(1s);
    robot.calls = false;
    robot.hang_up();
    loop.advance(1s);
    watch(program);
    program.events->on_text(R"({"type":"start_again","id":1,"robot":"rover"})");
    EXPECT_THAT(program.take("answer"), ElementsAre(HasSubstr("no supervisor owns the process")));
}

TEST_F(ApiTest, RefusesMovementsBeyondTheirTimeToLiveAndPassesTheAgeOfOthersOn) {
    open_station();
    PlayedRobot& robot = add_robot();
    loop.advance(1s);
    watch(program);
    say(program, R"({"type":"heartbeat","sent":5.5})");
    const double now = loop.clock().boot_seconds();
    EXPECT_THAT(program.take("clock"),
                ElementsAre(fmt::format(R"({{"type":"clock","sent":5.500000,"at":{},"stalled":0.000000}})",
                                        json_fixed(now, 6))));
    const auto given = [&](int id, const std::string& text, double age) {
        say(program,
            fmt::format(R"({{"type":"command","id":{},"robot":"rover","command":"{}","given":{:.6f}}})", id,
                        text, now - age));
        return program.take("answer");
    };
    EXPECT_THAT(given(1, "move_forward", 0.51), ElementsAre(HasSubstr(R"("refusal":"EXPIRED")")));
    EXPECT_THAT(given(2, "move_forward ttl=2s", 2.1), ElementsAre(HasSubstr("it is 2.1 s old")));
    EXPECT_THAT(robot.told(), IsEmpty());
    EXPECT_THAT(given(3, "move_forward", 0.3), ElementsAre(HasSubstr("DONE")));
    EXPECT_NEAR(robot.heartbeats.back().sent, now - 0.3, 1e-5) << "the robot learns when it was given";
    EXPECT_EQ(robot.heartbeats.back().heard, 0) << "and takes it for no round trip";
    EXPECT_THAT(given(4, "move movement=HALT", 60), ElementsAre(HasSubstr("DONE")));
    EXPECT_THAT(given(5, "full_stop", 60), ElementsAre(HasSubstr("DONE")));
    EXPECT_THAT(given(6, "move_forward", -0.4), ElementsAre(HasSubstr("DONE"))) << "as exact as a clock is";
    EXPECT_THAT(given(7, "move_forward", -1),
                ElementsAre(HasSubstr("`given` is 1.0 s in the future by the clock of the station")));
    EXPECT_THAT(given(8, "release_stop", -3600), ElementsAre(HasSubstr("BAD_ARGUMENT")));
    EXPECT_THAT(given(9, "full_stop", -3600), ElementsAre(HasSubstr("DONE"))) << "a stop has no age";
    EXPECT_THAT(given(10, "release_stop", 2.1), ElementsAre(HasSubstr("EXPIRED")));
    EXPECT_THAT(given(11, "set_run_mode mode=2", 2.1), ElementsAre(HasSubstr("EXPIRED")));
    EXPECT_THAT(given(12, "set_run_mode mode=1", 60), ElementsAre(HasSubstr("DONE"))) << "it ends motion";
}

TEST_F(ApiTest, AnswersARequestWithAMalformedFieldByItsId) {
    open_station();
    add_robot();
    loop.advance(1s);
    watch(program);
    say(program, R"({"type":"command","id":7,"robot":"rover","command":"release_stop","given":"now"})");
    EXPECT_THAT(program.take("answer"),
                ElementsAre(testing::AllOf(HasSubstr(R"("id":7)"), HasSubstr("BAD_ARGUMENT"),
                                           HasSubstr("given should be a number"))));
    say(program, R"({"type":"command","id":"seven","robot":"rover","command":"ping"})");
    EXPECT_THAT(program.take("error"), ElementsAre(HasSubstr("id should be a whole number")));
}

TEST_F(ApiTest, PassesOnWhenAReleaseWasGiven) {
    open_station();
    PlayedRobot& robot = add_robot();
    loop.advance(1s);
    watch(program);
    const double now = loop.clock().boot_seconds();
    say(program, R"({"type":"command","id":1,"robot":"rover","command":"release_stop","age":1.5})");
    EXPECT_THAT(program.take("answer"), ElementsAre(HasSubstr("DONE")));
    EXPECT_NEAR(robot.heartbeats.back().sent, now - 1.5, 1e-5);
}

TEST_F(ApiTest, GeneratesTheStateForHttpAtMostTenTimesPerSecond) {
    open_station();
    add_robot();
    loop.advance(1s);
    const WebRequest request{.target = "/api/v1/state", .host = "localhost", .from_outside = false};
    std::set<std::string> bodies;
    for (int i = 0; i < 1000; ++i) {
        loop.advance(1ms);
        bodies.insert(api->answer(request).body);
    }
    EXPECT_THAT(bodies, testing::SizeIs(testing::AllOf(testing::Ge(9U), testing::Le(11U))));
}

TEST_F(ApiTest, AnswersHttp) {
    open_station();
    add_robot();
    loop.advance(1s);
    WebRequest request{.target = "/api/v1/state", .host = "localhost", .from_outside = false};
    EXPECT_THAT(api->answer(request).body,
                testing::AllOf(HasSubstr(R"("rover":{"status")"), HasSubstr("\"scan\"")));
    request.target = "/metrics";
    EXPECT_THAT(api->answer(request).body, HasSubstr("caribou_station_robots{mode=\"run1\"} 1\n"));
    request.target = "/api/v1/stream";
    EXPECT_EQ(api->answer(request).status, 426u);
    request.target = "/elsewhere";
    EXPECT_EQ(api->answer(request).status, 404u);
    request.method = "POST";
    EXPECT_EQ(api->answer(request).status, 405u);
}

TEST_F(ApiTest, TellsWhatRobotsReport) {
    open_station();
    PlayedRobot& robot = add_robot();
    loop.advance(1s);
    watch(program);
    robot.send(link::ErrorReport{"the lidar is silent\xff"});
    loop.run_ready();
    EXPECT_THAT(program.take("report"), ElementsAre(HasSubstr(R"("text":"the lidar is silent)")));
}

TEST_F(ApiTest, SendsStatesWhileDatagramsAreRefused) {
    open_station();
    add_robot();
    loop.advance(1s);
    program.reads = false;
    watch(program);
    const auto stranger = network.on_host("stranger");
    const auto socket = stranger->bind(Address::ip("0.0.0.0", 0), [] {}).value();
    for (int i = 0; i < 600; ++i) {
        std::ignore = socket->send(Address::ip("station", 9600), bytes_of("nonsense"));
        program.waiting = 0;  // it reads between two ticks
        loop.advance(20ms);
    }
    EXPECT_FALSE(program.closed);
    EXPECT_GT(program.take("state").size(), 50u);
    EXPECT_LE(program.take("refused").size(), 13u);
}

TEST_F(ApiTest, TellsWhatItHasRefused) {
    open_station();
    watch(program);
    loop.advance(1s);
    EXPECT_THAT(program.take("refused"), IsEmpty());
    const auto stranger = network.on_host("stranger");
    const auto socket = stranger->bind(Address::ip("0.0.0.0", 0), [] {}).value();
    for (int i = 0; i < 2; ++i)
        std::ignore = socket->send(Address::ip("station", 9600), bytes_of("nonsense"));
    loop.advance(1s);
    EXPECT_THAT(program.take("refused"),
                ElementsAre(R"({"type":"refused","datagrams":2,"robots":0,"doubles":0,"handshakes":0})"));
    Program late;
    watch(late);
    const auto told = late.take("refused");
    ASSERT_EQ(told.size(), 1U) << "who comes later knows it, too";
    FleetPicture picture;
    ASSERT_TRUE(picture.take(told[0]));
    EXPECT_EQ(to_string(picture.refused()), "2 datagrams");
}

TEST_F(ApiTest, GivesASignOfLifeWhenNothingHappens) {
    open_station();
    watch(program);
    program.heard.clear();
    loop.advance(9s);
    const auto signs = program.take("state");
    EXPECT_EQ(signs.size(), 9u) << "every second";
    EXPECT_THAT(signs.at(0), HasSubstr(R"("stale":true)")) << "bee, which has never called";
    EXPECT_THAT(signs.at(1), AllOf(HasSubstr(R"("full":false)"), HasSubstr(R"("robots":{}})")));
}

TEST_F(ApiTest, RefusesAWeightOutOfItsRange) {
    open_station();
    add_robot();
    loop.advance(1s);
    watch(program);
    int id = 0;
    for (const char* const weight : {"-3", "1e9"})
        command(program, ++id, fmt::format(R"(topics line=\"weight scan full {}\")", weight));
    EXPECT_THAT(
        program.take("answer"),
        AllOf(SizeIs(2), Each(AllOf(HasSubstr("BAD_ARGUMENT"), HasSubstr("a number from 0 to 1000")))));
}

TEST_F(ApiTest, TellsTheFleetInFoxglovesProtocol) {
    open_station();
    PlayedRobot& robot = add_robot();
    loop.advance(1s);
    WebRequest request{.host = "localhost:80",
                       .protocols = "other, foxglove.websocket.v1",
                       .upgrade = true,
                       .from_outside = false};
    const WebAnswer agreed = api->answer(request);
    EXPECT_EQ(agreed.status, 101);
    EXPECT_EQ(agreed.protocol, "foxglove.websocket.v1");
    watch(program, request);
    EXPECT_THAT(program.heard, ElementsAre(HasSubstr(R"("op":"serverInfo")"), HasSubstr("/rover/pose")));
    constexpr auto rover_pose = static_cast<int>(Topic::pose);  // `rover` has sent the first datagram
    say(program,
        fmt::format(
            R"({{"op":"subscribe","subscriptions":[{{"id":7,"channelId":{}}},{{"id":8,"channelId":99}}]}})",
            rover_pose));
    EXPECT_THAT(program.heard.back(), HasSubstr("there is no channel 99"));
    robot.telemetry.pose.x = 1.5;
    loop.advance(1s);
    ASSERT_EQ(program.bytes.size(), 2U) << "what was known, and what has changed";
    EXPECT_THAT(program.bytes.back(), HasSubstr(R"("position":{"x":1.500,)"));
    EXPECT_TRUE(program.bytes.back().starts_with(std::string("\x01\x07\0\0\0", 5)))
        << "opcode and subscription";
    const std::size_t before = program.bytes.size();
    say(program, R"({"op":"unsubscribe","subscriptionIds":[7]})");
    robot.telemetry.pose.x = 2;
    loop.advance(1s);
    EXPECT_EQ(program.bytes.size(), before);
    say(program, R"({"op":"advertise","channels":[]})");
    EXPECT_THAT(program.heard.back(), HasSubstr("only lets itself be watched"));
    request.origin = "https://elsewhere.example";
    EXPECT_EQ(api->answer(request).status, 403) << "pages of others do not look, either";
}

}  // namespace
}  // namespace caribou::station
