// Recordings and replays, as clients of the interface see them.

#include <algorithm>
#include <array>
#include <vector>

#include "station/api_rig.hpp"
#include "station/fleet_picture.hpp"

namespace caribou::station {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST_F(ApiTest, RecordsWhenAskedTo) {
    open_station();
    add_robot();
    loop.advance(1s);
    watch(program);
    EXPECT_THAT(program.take("recording"), ElementsAre(R"({"type":"recording","name":null,"camera":false})"));
    Program observer;
    api->open(stream(), std::make_unique<ProgramChannel>(observer));
    say(program, R"({"type":"record","id":1,"action":"start"})");
    EXPECT_THAT(program.take("answer"), ElementsAre(HasSubstr("DONE")));
    EXPECT_THAT(observer.take("recording"),
                ElementsAre(HasSubstr("null"),
                            R"({"type":"recording","name":"20260101-000001-0001","camera":false})"));
    loop.advance(2s);
    say(program, R"({"type":"record","id":2,"action":"stop"})");
    EXPECT_EQ(program.take("recording").size(), 2u);
    say(program, R"({"type":"record","id":3,"action":"begin"})");
    EXPECT_THAT(program.take("answer").at(1), HasSubstr("there is no action `begin`"));
    say(program, R"({"type":"record","id":4,"action":"list"})");
    EXPECT_THAT(program.take("answer").at(0), HasSubstr("20260101-000001-0001"));

    WebRequest request{.target = "/api/v1/recordings", .host = "localhost", .from_outside = false};
    EXPECT_THAT(api->answer(request).body, HasSubstr("20260101-000001-0001.alog"));
    request.target = "/api/v1/recordings/20260101-000001-0001.mcap";
    request.range = "bytes=1-4";
    EXPECT_EQ(text_of(api->answer(request).bytes), "MCAP");
    for (const char* name : {"..%2Fx.mcap", "../x.mcap", "lock", "20260101-000001-0002.mcap"}) {
        request.target = fmt::format("/api/v1/recordings/{}", name);
        EXPECT_EQ(api->answer(request).status, 404u) << name;
    }
}

TEST_F(ApiTest, DeletesARecordingForAnAdmin) {
    open_station({.access = {.tokens = {{"secret", link::Role::admin}}, .local_role = link::Role::drive}});
    loop.advance(1s);
    watch(program);
    say(program, R"({"type":"record","id":1,"action":"start"})");
    loop.advance(1s);
    say(program, R"({"type":"record","id":2,"action":"stop"})");
    constexpr const char* request =
        R"({"type":"record","id":3,"action":"delete","name":"20260101-000001-0001"})";
    program.heard.clear();
    say(program, request);
    EXPECT_THAT(program.take("answer"), ElementsAre(HasSubstr("deleting a recording needs the role admin")));
    Program admin;
    api->open(stream("?token=secret"), std::make_unique<ProgramChannel>(admin));
    say(admin, request);
    EXPECT_THAT(admin.take("answer"), ElementsAre(HasSubstr("DONE")));
    const WebRequest list{.target = "/api/v1/recordings", .host = "localhost", .from_outside = false};
    EXPECT_THAT(api->answer(list).body, HasSubstr(R"("recordings":[])"));
}

TEST_F(ApiTest, ShowsThePastToWhoAsksForIt) {
    open_station();
    PlayedRobot& robot = add_robot();
    robot.telemetry.pose.x = 1;
    loop.advance(1s);
    watch(program);
    Program second;
    watch(second);
    say(program, R"({"type":"record","id":1,"action":"start"})");
    loop.advance(3s);
    say(program, R"({"type":"record","id":2,"action":"stop"})");
    robot.telemetry.pose.x = 2;
    loop.advance(1s);
    program.heard.clear();
    replay(program, 3, R"("action":"open","name":"20260101-000001-0001")");
    EXPECT_THAT(program.take("replay"), ElementsAre(AllOf(HasSubstr(R"("start":1767225601.)"),
                                                          HasSubstr(R"("playing":false,"speed":1)"))));
    EXPECT_THAT(program.take("answer"), ElementsAre(HasSubstr("DONE")));
    replay(program, 4, R"("action":"seek","to":1767225603.5)");
    loop.advance(1s);
    EXPECT_THAT(program.take("state").back(),
                AllOf(HasSubstr(R"("full":true,"now":1767225603.5)"), HasSubstr(R"("x":1.000)")));
    EXPECT_THAT(program.take("marks"), ElementsAre(HasSubstr(R"("name":"20260101-000001-0001")")));
    EXPECT_THAT(second.take("state").back(), HasSubstr(R"("x":2.000)")) << "others are not disturbed";
    replay(program, 5, R"("action":"play")");
    loop.advance(1s);
    EXPECT_THAT(program.take("replay").back(), HasSubstr(R"("playing":false)")) << "it has come to its end";

    program.heard.clear();
    command(program, 6, "move_forward");
    command(program, 7, "full_stop");
    EXPECT_THAT(program.take("answer"),
                ElementsAre(AllOf(HasSubstr("UNAVAILABLE"), HasSubstr("close")), HasSubstr("DONE")));
    EXPECT_THAT(robot.told(), ElementsAre("full_stop"));
    replay(program, 8, R"("action":"close")");
    EXPECT_THAT(program.take("replay"), ElementsAre(R"({"type":"replay","name":null})"));
    loop.advance(100ms);
    EXPECT_THAT(program.take("state").at(0), AllOf(HasSubstr(R"("full":true)"), HasSubstr(R"("x":2.000)")));

    program.heard.clear();
    replay(program, 9, R"("action":"play")");
    replay(program, 10, R"("action":"open","name":"20260101-000001-0009")");
    replay(program, 11, R"("action":"rewind")");
    EXPECT_THAT(program.take("answer"),
                ElementsAre(HasSubstr("open one first"), HasSubstr("did you mean"), HasSubstr("no action")));
}

class ReplayTest : public ApiTest {
protected:
    /// A station that has recorded a robot for three seconds. Programs without a token may observe.
    void SetUp() override {
        open_station({.access = {.tokens = {{"secret", link::Role::drive}}}});
        add_robot();
        recordings->start();
        loop.advance(3s);
        recordings->stop();
        loop.advance(1s);
    }
    std::string open_by(Program& who, const std::string& query) {
        watch(who, stream(query));
        replay(who, 1, fmt::format(R"("action":"open","name":"{}")", recording));
        return who.take("answer").back();
    }

    static constexpr const char* recording = "20260101-000000-0001";
};

TEST_F(ReplayTest, OpensFewReplaysOfWhichHalfAreForProgramsWithAToken) {
    std::array<Program, 6> observers;
    for (std::size_t i = 0; i < 4; ++i) EXPECT_THAT(open_by(observers[i], ""), HasSubstr("DONE")) << i;
    EXPECT_THAT(open_by(observers[4], ""),
                AllOf(HasSubstr("BUSY"), HasSubstr("too many replays are open (limit 4 without a token)")));
    std::array<Program, 5> drivers;
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_THAT(open_by(drivers[i], "?token=secret"), HasSubstr("DONE")) << i;
    EXPECT_THAT(open_by(drivers[4], "?token=secret"), HasSubstr("too many replays are open (limit 8)"));
    replay(observers[0], 2, fmt::format(R"("action":"open","name":"{}")", recording));
    EXPECT_THAT(observers[0].take("answer").back(), HasSubstr("DONE")) << "it replaces its own";
    replay(observers[0], 3, R"("action":"close")");
    EXPECT_THAT(open_by(observers[5], ""), HasSubstr("DONE"));
}

TEST_F(ReplayTest, CarriesOutTheLatestOfManySeeks) {
    open_by(program, "");
    program.heard.clear();
    for (int id = 2; id < 102; id += 2) {
        program.events->on_text(fmt::format(R"({{"type":"replay","id":{},"action":"seek","to":{}}})", id,
                                            1767225600 + (id == 100 ? 2 : 1)));
        program.events->on_text(fmt::format(R"({{"type":"replay","id":{},"action":"play"}})", id + 1));
    }
    loop.run_ready();
    EXPECT_THAT(program.take("answer"), AllOf(SizeIs(100), Each(HasSubstr("DONE"))));
    EXPECT_THAT(program.take("replay"),
                ElementsAre(AllOf(HasSubstr(R"("at":1767225602)"), HasSubstr(R"("playing":false)")),
                            AllOf(HasSubstr(R"("at":1767225602)"), HasSubstr(R"("playing":true)"))));
}

TEST_F(ReplayTest, WorksForOneReplayPerTurnOfTheLoop) {
    std::array<Program, 4> observers;
    for (Program& observer : observers) open_by(observer, "");
    loop.advance(200ms);
    for (Program& observer : observers) {
        observer.heard.clear();
        observer.events->on_text(R"({"type":"replay","id":2,"action":"seek","to":1767225602})");
    }
    std::vector<std::ptrdiff_t> answered;  // after each turn
    Task count = [&] {
        answered.push_back(
            std::ranges::count_if(observers, [](const Program& each) { return !each.heard.empty(); }));
        if (answered.size() < 5) loop.post([&] { count(); });
    };
    loop.post([&] { count(); });
    loop.run_ready();
    EXPECT_THAT(answered, ElementsAre(1, 2, 3, 4, 4));
}

TEST_F(ApiTest, SendsTheMotionOfTheTimeBeforeTheMomentThatIsSought) {
    open_station();
    PlayedRobot& robot = add_robot();
    loop.advance(1s);
    watch(program);
    say(program, R"({"type":"record","id":1,"action":"start"})");
    for (int i = 0; i < 150; ++i) {
        robot.telemetry.pose.x = i;
        loop.advance(1s);
    }
    say(program, R"({"type":"record","id":2,"action":"stop"})");
    replay(program, 3, R"("action":"open","name":"20260101-000001-0001")");
    loop.advance(100ms);
    program.heard.clear();
    replay(program, 4, R"("action":"seek","to":1767225741)");
    loop.advance(100ms);
    const auto states = program.take("state");
    ASSERT_GT(states.size(), 200u);
    EXPECT_THAT(states.front(),
                AllOf(HasSubstr(R"("full":true,"now":1767225621.0)"), HasSubstr(R"("x":19.000)")));
    EXPECT_THAT(states.back(),
                AllOf(HasSubstr(R"("full":true,"now":1767225741.0)"), HasSubstr(R"("x":139.000)")));
    FleetPicture picture;
    double last = -1;
    for (const std::string& state : states) {
        ASSERT_TRUE(picture.take(state));
        const double at = picture.robots().at("rover").motion->at;
        EXPECT_GE(at, last);
        EXPECT_TRUE(last < 0 || at - last <= 0.9) << "without a gap";
        last = at;
    }
}

TEST_F(ApiTest, ShowsTheSameRecordingToEverybody) {
    open_station();
    add_robot();
    recordings->start();
    loop.advance(3s);
    recordings->stop();
    const auto player = recordings->play("20260101-000000-0001").value();
    api->show(*player);
    player->seek(player->end());
    watch(program);
    EXPECT_THAT(program.take("state"),
                ElementsAre(HasSubstr(R"("now":1767225603.000,"replay":"20260101-000000-0001")")));
    loop.advance(500ms);
    EXPECT_THAT(program.take("state"), IsEmpty());
    const auto has_marks =
        AllOf(HasSubstr(R"("name":"20260101-000000-0001")"), HasSubstr(R"("kind":"link")"));
    EXPECT_THAT(program.take("marks"), ElementsAre(has_marks));
    Program later;
    watch(later);
    EXPECT_THAT(later.take("marks"), ElementsAre(has_marks)) << "found before it connected";
}

TEST_F(ApiTest, SaysThatItReplaysAndRefusesAllCommands) {
    open_station();
    PlayedRobot& robot = add_robot();
    recordings->start();
    loop.advance(3s);
    recordings->stop();
    const auto player = recordings->play("20260101-000000-0001").value();
    api->show(*player);
    player->play();
    watch(program);
    EXPECT_THAT(program.take("replay"),
                ElementsAre(AllOf(HasSubstr(R"("name":"20260101-000000-0001")"),
                                  HasSubstr(R"("playing":true,"speed":1,"shared":true)"))));
    FleetPicture picture;
    for (const std::string& state : program.take("state")) EXPECT_TRUE(picture.take(state));
    EXPECT_EQ(picture.replay(), "20260101-000000-0001");
    loop.advance(2s);
    WebRequest request{.target = "/api/v1/state", .host = "localhost", .from_outside = false};
    EXPECT_THAT(api->answer(request).body,
                AllOf(HasSubstr(R"("replay":"20260101-000000-0001")"), HasSubstr(R"("scan":)")));
    request.target = "/metrics";
    EXPECT_THAT(api->answer(request).body, HasSubstr("caribou_station_replay 1\n"));

    command(program, 1, "move_forward");
    command(program, 2, "full_stop");
    say(program, R"({"type":"stop_all","id":3})");
    say(program, R"({"type":"route","id":4,"robot":"rover","action":"start"})");
    say(program, R"({"type":"start_again","id":5,"robot":"rover"})");
    say(program, R"({"type":"record","id":6,"action":"start"})");
    EXPECT_THAT(program.take("answer"),
                AllOf(SizeIs(6), Each(AllOf(HasSubstr("UNAVAILABLE"), HasSubstr("this is a recording")))));
    EXPECT_THAT(robot.told(), IsEmpty());
    replay(program, 7, R"("action":"pause")");
    EXPECT_THAT(program.take("answer"), ElementsAre(HasSubstr("it has no controls")));
    loop.advance(2s);
    EXPECT_THAT(program.take("replay"), ElementsAre(HasSubstr(R"("playing":false)"))) << "at its end";
}

}  // namespace
}  // namespace caribou::station
