// Views of robots, as clients of the interface see them.

#include "base/json_text.hpp"
#include "negotiation/negotiated_publisher.hpp"
#include "station/api_rig.hpp"
#include "station/played_view.hpp"
#include "views/encodings.hpp"

namespace caribou::station {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ApiViews : public ApiTest {
protected:
    ApiViews() {
        open_station();
        robot = &add_robot();
        loop.advance(200ms);
        watch(program);
    }
    void want(Program& who, const std::string& views) {
        say(who, fmt::format(R"({{"type":"watch","robots":["rover"],"views":[{}],"rate":20}})", views));
        loop.advance(200ms);
    }
    /// Returns the latest section received.
    static std::string section(Program& who, const std::string& name) {
        std::string last;
        for (const std::string& state : who.take("state")) {
            const JsonNode node = read_json(state).value();
            const JsonNode* const rover = node.find("robots")->find("rover");
            if (const JsonNode* const found = rover ? rover->find(name) : nullptr) last = json_of(*found);
        }
        return last;
    }

    PlayedRobot* robot = nullptr;
    const WebRequest foxglove{
        .host = "localhost:80", .protocols = "foxglove.websocket.v1", .upgrade = true, .from_outside = false};
};

TEST_F(ApiViews, TravelOnlyWhileSomebodyWatches) {
    TextWriter behaviors(loop, robot->topics, "/rover/behaviors");
    loop.advance(1s);
    EXPECT_EQ(robot->topic_frames, 0U) << "nobody has asked for anything";
    want(program, R"("behaviors")");
    EXPECT_EQ(behaviors.readers, 1);
    behaviors.say(R"({"stack":["robot"]})");
    loop.advance(200ms);
    EXPECT_THAT(section(program, "behaviors"), HasSubstr(R"("stack":["robot"])"));
    EXPECT_THAT(section(program, "behaviors"), IsEmpty()) << "it has not changed";
    Program second;
    watch(second, stream("?name=bob"));
    want(second, R"("behaviors","health")");
    EXPECT_THAT(section(second, "behaviors"), HasSubstr("at"));
    EXPECT_EQ(behaviors.readers, 1) << "one subscription serves both";
    program.events->on_closed("gone");
    loop.advance(100ms);
    EXPECT_EQ(behaviors.readers, 1);
    second.events->on_closed("gone");
    loop.advance(100ms);
    EXPECT_EQ(behaviors.readers, 0);
    const std::size_t frames = robot->topic_frames;
    behaviors.say(R"({"stack":[]})");
    loop.advance(2s);
    EXPECT_EQ(robot->topic_frames, frames);
}

TEST_F(ApiViews, AreBackAfterTheLinkWasLost) {
    TextWriter health(loop, robot->topics, "/rover/health");
    want(program, R"("health")");
    robot->hang_up();
    loop.advance(2s);
    EXPECT_EQ(health.readers, 1);
    health.say(R"({"threads":[]})");
    loop.advance(200ms);
    EXPECT_THAT(section(program, "health"), HasSubstr("threads"));
}

TEST_F(ApiViews, SendTheChangesOfModesFromBeforeTheyAreWatched) {
    command(program, 1, "set_run_mode mode=RM2");
    robot->telemetry.run_mode = link::RunMode::rm2;
    loop.advance(1s);
    robot->calls = false;
    robot->hang_up();
    loop.advance(1s);
    EXPECT_THAT(section(program, "changes"), IsEmpty()) << "no one has asked for them";
    want(program, R"("health")");
    EXPECT_THAT(section(program, "changes"),
                AllOf(HasSubstr(R"("from":"RM3","to":"RM2","why":"requested by ann#1")"),
                      HasSubstr(R"("what":"link","from":"run1","to":"wait","why":")")));
}

TEST_F(ApiViews, TellNothingThatIsNoJson) {
    TextWriter bus(loop, robot->topics, "/rover/bus");
    want(program, R"("bus")");
    program.take("state");
    for (const char* const text : {"", "{", "[1]", "{\"a\":1}}", "null"}) bus.say(text);
    loop.advance(200ms);
    EXPECT_THAT(section(program, "bus"), IsEmpty());
    bus.say("{}");
    loop.advance(200ms);
    EXPECT_THAT(section(program, "bus"), HasSubstr("at"));
}

TEST_F(ApiViews, ShowTheWholeScanAndTheMapInTheEncodingThatWasAgreedOn) {
    constexpr negotiation::TopicQos kept{.durability = negotiation::Durability::transient_local, .depth = 1};
    negotiation::NegotiatedPublisher scan(loop, robot->topics, "/rover/scan");
    ASSERT_TRUE(scan.add_supported_type<views::FullScan>(1, kept));
    ASSERT_TRUE(scan.add_supported_type<views::DeltaScan>(1, kept));
    ASSERT_TRUE(scan.start());
    negotiation::NegotiatedPublisher map(loop, robot->topics, "/rover/map");
    ASSERT_TRUE(map.add_supported_type<views::RunLengthGrid>(1, kept));
    ASSERT_TRUE(map.start());
    TextWriter places(loop, robot->topics, "/rover/places");
    want(program, R"("scan","map")");
    ASSERT_TRUE(scan.type_was_negotiated<views::DeltaScan>());
    const wire::Scan seen{.time = robot->clock(), .angle_step = 1, .reach = 8, .ranges = {1, 2, 3}};
    ASSERT_TRUE(scan.publish<views::DeltaScan>(
        views::message_of(wire::encode_scan(seen, wire::ScanEncoding::delta))));
    const wire::Grid grid{.cell = 0.5, .columns = 2, .rows = 2, .cells = {-1, -1, 0, 100}};
    ASSERT_TRUE(map.publish<views::RunLengthGrid>(
        views::message_of(wire::encode_grid(grid, wire::GridEncoding::run_length))));
    places.say(R"({"dock":null,"cubes":[{"id":"cube 1","x":1,"y":2}]})");
    loop.advance(200ms);
    Program copy = program;
    EXPECT_THAT(section(copy, "scan"),
                AllOf(HasSubstr("[0,1],[1,2],[2,3]"), HasSubstr(R"("encoding":"delta")")));
    EXPECT_THAT(
        section(program, "map"),
        AllOf(HasSubstr(R"("width":2,"height":2,"resolution":0.5)"), HasSubstr(R"("runs":[0,2,1,1,2,1])"),
              HasSubstr(R"("id":"cube 1")"), HasSubstr(R"("encoding":"run_length")")));

    Program drawing;
    watch(drawing, foxglove);
    say(drawing, fmt::format(R"({{"op":"subscribe","subscriptions":[{{"id":1,"channelId":{}}}]}})",
                             static_cast<int>(Topic::map)));
    ASSERT_EQ(drawing.bytes.size(), 1U) << "what is known already comes at once";
    EXPECT_THAT(drawing.bytes[0], AllOf(HasSubstr(R"("column_count":2,"cell_size":{"x":0.500,"y":0.500})"),
                                        HasSubstr(R"("data":"//8AZA==")")));
    program.events->on_closed("gone");
    say(drawing, fmt::format(R"({{"op":"subscribe","subscriptions":[{{"id":2,"channelId":{}}}]}})",
                             static_cast<int>(Topic::scan)));
    loop.advance(200ms);
    ASSERT_TRUE(scan.type_was_negotiated<views::DeltaScan>()) << "the one that draws is reason enough";
    EXPECT_THAT(drawing.bytes.back(), HasSubstr(R"("end_angle":2,"ranges":[1.000,2.000,3.000])"));
}

class ApiCamera : public ApiViews {
protected:
    ApiCamera() {
        api->grant("secret", link::Role::observe);
        watch(viewer, stream("?name=eve&token=secret"));
    }
    void look(Program& who, const std::string& encoding) {
        say(who,
            fmt::format(R"({{"type":"watch","robots":["rover"],"views":["camera"],"rate":20,"camera":"{}"}})",
                        encoding));
        loop.advance(500ms);
    }

    Program viewer;
};

TEST_F(ApiCamera, IsReadOnlyWhileSomeoneLooks) {
    PlayedEye eye(loop, robot->topics);
    loop.advance(1s);
    EXPECT_THAT(eye.wanted(), IsEmpty());
    look(viewer, "full");
    EXPECT_THAT(eye.wanted(), ElementsAre("full"));
    eye.show({.time = robot->clock(), .jpeg = small_jpeg()});
    loop.advance(200ms);
    EXPECT_THAT(section(viewer, "camera"),
                AllOf(HasSubstr(R"("jpeg":"/9j/2gACEv/Z")"), HasSubstr(R"("encoding":"full")")));
    want(viewer, R"("scan")");
    loop.advance(500ms);
    EXPECT_THAT(eye.wanted(), IsEmpty());
}

TEST_F(ApiCamera, IsSentWholeToAWatcherOfTheSameRate) {
    PlayedEye eye(loop, robot->topics);
    say(viewer, R"({"type":"watch","robots":["rover"],"views":["camera"],"rate":10,"camera":"full"})");
    loop.advance(1s);
    viewer.heard.clear();
    constexpr int images = 40;
    for (int i = 0; i < images; ++i) {
        // Ten per second on average, but not in step.
        loop.advance(i % 2 == 0 ? 60ms : 140ms);
        eye.show({.time = robot->clock(), .jpeg = small_jpeg()});
    }
    loop.advance(200ms);
    const auto states = viewer.take("state");
    EXPECT_EQ(std::ranges::count_if(states, [](const auto& text) { return text.contains("jpeg"); }), images);
    EXPECT_LE(states.size(), 90U) << "at most two per period";
}

TEST_F(ApiCamera, IsSentInOneEncodingTheLargestThatIsPreferred) {
    PlayedEye eye(loop, robot->topics);
    look(viewer, "gray");
    EXPECT_THAT(eye.wanted(), ElementsAre("gray"));
    look(viewer, "half");
    EXPECT_THAT(eye.wanted(), ElementsAre("half"));
    Program second;
    watch(second, stream("?name=bob&token=secret"));
    look(second, "gray");
    EXPECT_THAT(eye.wanted(), ElementsAre("half")) << "one encoding serves both";
    viewer.events->on_closed("gone");
    loop.advance(500ms);
    EXPECT_THAT(eye.wanted(), ElementsAre("gray"));
}

TEST_F(ApiCamera, NeedsAToken) {
    PlayedEye eye(loop, robot->topics);
    look(program, "full");
    EXPECT_THAT(eye.wanted(), IsEmpty());
    EXPECT_THAT(program.take("error"), ElementsAre(HasSubstr("viewing the camera needs a token")));
    look(viewer, "full");
    eye.show({.time = robot->clock(), .jpeg = small_jpeg()});
    loop.advance(200ms);
    EXPECT_THAT(section(program, "camera"), IsEmpty());
    EXPECT_EQ(api->answer({.target = "/api/v1/state", .host = "localhost:80", .from_outside = false})
                  .body.find("/9j/"),
              std::string::npos);
    Program drawing;
    watch(drawing, foxglove);
    say(drawing, fmt::format(R"({{"op":"subscribe","subscriptions":[{{"id":1,"channelId":{}}}]}})",
                             static_cast<int>(Topic::camera)));
    loop.advance(500ms);
    EXPECT_TRUE(drawing.bytes.empty());
}

TEST_F(ApiCamera, NeedsATokenForItsRecordings) {
    const auto status = [&](const std::string& query) {
        return api
            ->answer({.target = "/api/v1/recordings/20260101-000001-0001-camera.mcap" + query,
                      .host = "localhost:80",
                      .from_outside = false})
            .status;
    };
    EXPECT_EQ(status(""), 401U);
    EXPECT_EQ(status("?token=secret"), 404U) << "there is none of this name";
}

TEST_F(ApiCamera, IsShownToAFoxgloveClientWithAToken) {
    PlayedEye eye(loop, robot->topics);
    Program drawing;
    WebRequest request = foxglove;
    request.target = "/?token=secret";
    watch(drawing, request);
    say(drawing, fmt::format(R"({{"op":"subscribe","subscriptions":[{{"id":1,"channelId":{}}}]}})",
                             static_cast<int>(Topic::camera)));
    loop.advance(500ms);
    eye.show({.time = robot->clock(), .jpeg = small_jpeg()});
    loop.advance(200ms);
    ASSERT_FALSE(drawing.bytes.empty());
    EXPECT_THAT(drawing.bytes.back(),
                AllOf(HasSubstr(R"("frame_id":"rover","data":"/9j/2gACEv/Z","format":"jpeg")")));
}

TEST_F(ApiCamera, ReportsWhyThereIsNoImage) {
    PlayedEye eye(loop, robot->topics);
    look(viewer, "full");
    eye.show({.time = robot->clock(), .problem = "This robot has no camera."});
    loop.advance(200ms);
    const std::string told = section(viewer, "camera");
    EXPECT_THAT(told, HasSubstr(R"("problem":"This robot has no camera.")"));
    EXPECT_EQ(told.find("jpeg"), std::string::npos);
}

TEST_F(ApiViews, RefuseWhatIsNone) {
    want(program, R"("scam")");
    EXPECT_THAT(program.take("error"),
                ElementsAre(HasSubstr("there is no view `scam`; did you mean `scan`?")));
}

}  // namespace
}  // namespace caribou::station
