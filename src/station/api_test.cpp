#include "station/api.hpp"

#include <fmt/format.h>

#include "base/json_node.hpp"
#include "base/json_text.hpp"
#include "loop/memory_disk.hpp"
#include "msg/std_msgs/string.hpp"
#include "negotiation/negotiated_publisher.hpp"
#include "station/fleet_picture.hpp"
#include "station/station_rig.hpp"
#include "views/encodings.hpp"

namespace caribou::station {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// The program's end of a channel.
struct Program {
    std::vector<std::string> heard;
    std::vector<std::string> bytes;
    std::optional<std::string> closed;
    TextChannelEvents* events = nullptr;
    bool reads = true;
    std::size_t waiting = 0;

    /// Returns the messages of one type received since the last call.
    std::vector<std::string> take(std::string_view type) {
        std::vector<std::string> all;
        std::erase_if(heard, [&](const std::string& text) {
            if (read_json(text).value().find("type")->text != type) return false;
            all.push_back(text);
            return true;
        });
        return all;
    }
};

class ProgramChannel final : public TextChannel {
public:
    explicit ProgramChannel(Program& program) : program_(program) {}
    void attach(TextChannelEvents& events) override { program_.events = &events; }
    void send(std::string text) override {
        if (!program_.reads) program_.waiting += text.size();
        program_.heard.push_back(std::move(text));
    }
    void send_bytes(std::string bytes) override { program_.bytes.push_back(std::move(bytes)); }
    std::size_t waiting() const override { return program_.waiting; }
    void close(std::string_view why) override { program_.closed = why; }

private:
    Program& program_;
};

class ApiTest : public StationRig {
protected:
    /// Programs may do everything here, unless a test is about what they may do.
    void open_station(ApiSettings settings = {.access = {.local_role = link::Role::admin}}) {
        station =
            std::make_unique<Station>(loop, *station_host, FleetSettings{.groups = {{"dogs", {"bee"}}}}, log);
        EXPECT_TRUE(station->fleet().listen(Address::ip("0.0.0.0", 9600)));
        recordings = std::make_unique<Recordings>(loop, *station, disk, folder, RecordingsSettings{});
        api = std::make_unique<StationApi>(loop, *station, std::move(settings), log, recordings.get());
    }
    static WebRequest stream(const std::string& query) {
        return {.target = "/api/v1/stream" + query,
                .host = "localhost:80",
                .upgrade = true,
                .from_outside = false};
    }
    static WebRequest stream() { return stream("?name=ann"); }
    void watch(Program& who, const WebRequest& request = stream()) {
        api->open(request, std::make_unique<ProgramChannel>(who));
    }
    void say(Program& who, const std::string& text) {
        who.events->on_text(text);
        loop.run_ready();
    }
    void command(Program& who, int id, const std::string& text) {
        say(who, fmt::format(R"({{"type":"command","id":{},"robot":"rover","command":"{}"}})", id, text));
    }

    void replay(Program& who, int id, const std::string& fields) {
        say(who, fmt::format(R"({{"type":"replay","id":{},{}}})", id, fields));
    }

    std::unique_ptr<Station> station;
    MemoryDisk disk;
    RecordingFolder folder{disk, 100_MiB, log};
    std::unique_ptr<Recordings> recordings;
    std::unique_ptr<StationApi> api;
    Program program;
};

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
    EXPECT_THAT(program.take("answer"), ElementsAre(HasSubstr(R"("refusal":"BAD_ARGUMENT")")));
    say(program, R"({"type":"command","id":9,"robot":"rovr","command":"ping"})");
    EXPECT_THAT(program.take("answer"), ElementsAre(HasSubstr("did you mean `rover`?")));
    say(program, "nonsense");
    EXPECT_THAT(program.take("error"), ElementsAre(HasSubstr("no JSON")));
}

TEST_F(ApiTest, ServesThePageWithoutATokenAndNothingElse) {
    open_station({.access = {.tokens = {{"secret", link::Role::drive}}},
                  .page = StaticFiles(StaticFiles::Table{{"index.html", "hello"}})});
    WebRequest request{
        .target = "/", .host = "localhost:80", .fetch_site = "cross-site", .from_outside = false};
    EXPECT_EQ(api->answer(request).body, "hello") << "a link of another site leads here";
    request.host = "elsewhere.example";
    EXPECT_EQ(api->answer(request).status, 403u);
    EXPECT_EQ(api->answer({.target = "/api/v1/state", .host = "localhost:80", .from_outside = true}).status,
              401u);
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
}

TEST_F(ApiTest, StartsARobotAgainWhereASupervisorOwnsIt) {
    std::vector<std::string> started;
    open_station({.access = {.local_role = link::Role::admin},
                  .start_again = [&](const std::string& robot) { started.push_back(robot); }});
    PlayedRobot& robot = add_robot();
    loop.advance(1s);
    watch(program);
    EXPECT_THAT(program.take("hello"), ElementsAre(HasSubstr(R"("supervised":true)")));
    const auto ask = [&](int id) {
        program.events->on_text(fmt::format(R"({{"type":"start_again","id":{},"robot":"rover"}})", id));
        loop.run_ready();
        return program.take("answer");
    };
    EXPECT_THAT(ask(1), ElementsAre(HasSubstr("rover runs")));
    robot.calls = false;
    robot.hang_up();
    loop.advance(1s);
    EXPECT_THAT(ask(2), ElementsAre(HasSubstr("rover is being started")));
    EXPECT_THAT(started, ElementsAre("rover"));
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

TEST_F(ApiTest, LetsGoOfWhoDoesNotRead) {
    open_station();
    add_robot();
    loop.advance(1s);
    program.reads = false;
    watch(program);
    loop.advance(9s);
    EXPECT_EQ(program.take("state").size(), 1u) << "one picture, and nothing piles up";
    EXPECT_FALSE(program.closed);
    loop.advance(2s);
    EXPECT_THAT(program.closed.value(), HasSubstr("too slow"));
}

TEST_F(ApiTest, LetsGoOfAProgramWhoseHeartbeatHasStopped) {
    open_station();
    watch(program);
    loop.advance(15s);
    EXPECT_FALSE(program.closed) << "it has never sent one";
    for (int i = 0; i < 15; ++i) {
        program.events->on_text(R"({"type":"heartbeat"})");
        loop.advance(1s);
    }
    EXPECT_FALSE(program.closed);
    loop.advance(11s);
    EXPECT_THAT(program.closed.value(), HasSubstr("no heartbeat"));
}

TEST_F(ApiTest, HasRolesByToken) {
    open_station({.access = {.tokens = {{"secret", link::Role::drive}, {"look", link::Role::observe}}}});
    WebRequest foreign = stream("?token=wrong");
    foreign.from_outside = true;
    EXPECT_EQ(api->answer(foreign).status, 401u);
    EXPECT_EQ(api->answer(stream("?token=look")).status, 101u);
    WebRequest bearer = stream();
    bearer.authorization = "Bearer secret";
    EXPECT_EQ(api->answer(bearer).status, 101u);
    watch(program, bearer);
    EXPECT_THAT(program.take("hello"), ElementsAre(HasSubstr(R"("role":"drive")")));
    bearer.from_outside = true;
    watch(program, bearer);
    EXPECT_THAT(program.take("hello"), ElementsAre(HasSubstr(R"("role":"observe")")))
        << "nothing moves by what is not encrypted";
}

TEST_F(ApiTest, LetsProgramsWithoutATokenObserveAndStop) {
    open_station({.access = {.tokens = {{"secret", link::Role::drive}}}});
    PlayedRobot& robot = add_robot();
    loop.advance(1s);
    watch(program);
    EXPECT_THAT(program.take("hello"), ElementsAre(HasSubstr(R"("role":"observe")")));
    EXPECT_THAT(program.take("state"), ElementsAre(HasSubstr(R"("rover":{"status":{"mode":"run1")")));
    for (const char* const denied :
         {"move_forward level=1", "set_run_mode mode=2", "release_stop", "take_lease"}) {
        static int id = 0;
        command(program, ++id, denied);
        EXPECT_THAT(program.take("answer"),
                    ElementsAre(AllOf(HasSubstr(R"("refusal":"NOT_ALLOWED")"), HasSubstr("`caribou page`"))))
            << denied;
    }
    say(program, R"({"type":"route","id":50,"robot":"rover","action":"start"})");
    EXPECT_THAT(program.take("answer"), ElementsAre(HasSubstr("NOT_ALLOWED")));
    EXPECT_THAT(robot.told(), IsEmpty());
    command(program, 60, "move movement=HALT");
    command(program, 61, "move_backward level=0");
    command(program, 62, "full_stop");
    EXPECT_THAT(robot.told(), ElementsAre("move movement=HALT", "move_backward level=0", "full_stop"));
    // A halt by an observer has not taken the lease.
    Program second;
    watch(second, stream("?name=bob&token=secret"));
    command(second, 1, "move_forward level=1");
    EXPECT_THAT(second.take("answer"), ElementsAre(HasSubstr("DONE")));
}

TEST_F(ApiTest, LetsAProgramWithAWrongTokenStop) {
    open_station({.access = {.tokens = {{"secret", link::Role::drive}}}});
    PlayedRobot& robot = add_robot();
    loop.advance(1s);
    ASSERT_EQ(api->answer(stream("?token=wrong")).status, 101u);
    watch(program, stream("?token=wrong"));
    EXPECT_THAT(program.take("hello"), ElementsAre(HasSubstr(R"("role":"observe")")));
    command(program, 1, "full_stop");
    EXPECT_THAT(robot.told(), ElementsAre("full_stop"));
}

TEST_F(ApiTest, RefusesMovementsBeyondTheirTimeToLiveAndPassesTheAgeOfOthersOn) {
    open_station();
    PlayedRobot& robot = add_robot();
    loop.advance(1s);
    watch(program);
    say(program, R"({"type":"heartbeat","sent":5.5})");
    const double now = loop.clock().boot_seconds();
    EXPECT_THAT(
        program.take("clock"),
        ElementsAre(fmt::format(R"({{"type":"clock","sent":5.500000,"at":{}}})", json_fixed(now, 6))));
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
    EXPECT_THAT(given(6, "move_forward", -1), ElementsAre(HasSubstr("DONE"))) << "from a clock that is ahead";
}

TEST_F(ApiTest, ExchangesTheTokenOfThePageForACookie) {
    open_station({.access = {.tokens = {{"secret", link::Role::drive}}},
                  .page = StaticFiles(StaticFiles::Table{{"index.html", "hello"}})});
    WebRequest page{.target = "/?token=secret", .host = "localhost:8080", .from_outside = false};
    const WebAnswer answer = api->answer(page);
    EXPECT_EQ(answer.status, 303u);
    EXPECT_EQ(answer.location, "/");
    EXPECT_THAT(answer.fields, testing::Contains(testing::Pair(
                                   "Set-Cookie", "caribou-8080=secret; Path=/; HttpOnly; SameSite=Strict")));
    page.target = "/?token=wrong";
    EXPECT_THAT(api->answer(page).body,
                HasSubstr("without a token the page shows the robots and stops them"));

    WebRequest request = stream();
    request.host = "localhost:8080";
    request.cookie = "other=1; caribou-8080=secret";
    watch(program, request);
    EXPECT_THAT(program.take("hello"), ElementsAre(HasSubstr(R"("role":"drive")")));
    for (const char* const cookie : {"caribou-8080=outdated", "caribou-80=secret", "xcaribou-8080=secret"}) {
        request.cookie = cookie;
        watch(program, request);
        EXPECT_THAT(program.take("hello"), ElementsAre(HasSubstr(R"("role":"observe")"))) << cookie;
    }
    request.cookie = "caribou-8080=secret";
    request.origin = "http://evil.example";
    EXPECT_EQ(api->answer(request).status, 403u) << "a page of another site has no use of the cookie";
    request.origin = "http://localhost:9090";
    EXPECT_EQ(api->answer(request).status, 403u) << "nor has one of another port";
}

TEST_F(ApiTest, IsForLocalProgramsAndItsOwnPages) {
    open_station({.hosts = {"station.lan"}, .max_watchers = 1});
    WebRequest request = stream();
    request.origin = "http://evil.example";
    EXPECT_EQ(api->answer(request).status, 403u);
    request.origin = "http://localhost:80";
    EXPECT_EQ(api->answer(request).status, 101u);
    request = stream();
    request.host = "evil.example";
    EXPECT_EQ(api->answer(request).status, 403u);
    request.host = "station.lan:8080";
    EXPECT_EQ(api->answer(request).status, 101u);
    request.from_outside = true;
    EXPECT_EQ(api->answer(request).status, 401u) << "without a token only from this machine";
}

TEST_F(ApiTest, ClosesTheWatcherThatIsIdleLongestForANewOne) {
    open_station({.max_watchers = 2});
    Program second;
    Program third;
    watch(program);
    loop.advance(1s);
    watch(second);
    loop.advance(1s);
    say(program, R"({"type":"watch","robots":[]})");
    loop.advance(1s);
    EXPECT_EQ(api->answer(stream()).status, 101u);
    watch(third);
    loop.run_ready();
    EXPECT_EQ(api->watchers(), 2u);
    EXPECT_EQ(second.closed, "too many watchers, and this one was idle longest");
    EXPECT_FALSE(program.closed);
    EXPECT_THAT(third.take("hello"), testing::SizeIs(1));
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

TEST_F(ApiTest, RecordsWhenAskedTo) {
    open_station();
    add_robot();
    loop.advance(1s);
    watch(program);
    EXPECT_THAT(program.take("recording"), ElementsAre(R"({"type":"recording","name":null})"));
    Program observer;
    api->open(stream(), std::make_unique<ProgramChannel>(observer));
    say(program, R"({"type":"record","id":1,"action":"start"})");
    EXPECT_THAT(program.take("answer"), ElementsAre(HasSubstr("DONE")));
    EXPECT_THAT(observer.take("recording"),
                ElementsAre(HasSubstr("null"), R"({"type":"recording","name":"20260101-000001-0001"})"));
    loop.advance(2s);
    say(program, R"({"type":"record","id":2,"action":"stop"})");
    EXPECT_EQ(program.take("recording").size(), 2u);
    say(program, R"({"type":"record","id":3,"action":"begin"})");
    EXPECT_THAT(program.take("answer").at(1), HasSubstr("there are `start` and `stop`"));

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
    EXPECT_THAT(program.take("state"), ElementsAre(AllOf(HasSubstr(R"("full":true,"now":1767225603.5)"),
                                                         HasSubstr(R"("x":1.000)"))));
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

/// Publishes given values, like a robot.
struct TextWriter final : negotiation::WriterEvents {
    TextWriter(Loop& its_loop, negotiation::Transport& transport, const std::string& topic)
        : loop(its_loop),
          writer(transport
                     .advertise({topic, "std_msgs/msg/String"},
                                {.durability = negotiation::Durability::transient_local, .depth = 1}, *this)
                     .value()) {}
    void say(std::string text) {
        auto message = std::make_shared<msg::std_msgs::String>();
        message->data = std::move(text);
        EXPECT_TRUE(writer->write(negotiation::make_sample(
            std::shared_ptr<const msg::std_msgs::String>(message), loop.clock().wall())));
    }
    void on_reader_joined(const negotiation::Peer&) override { ++readers; }
    void on_reader_gone(const negotiation::Peer&) override { --readers; }

    Loop& loop;
    std::unique_ptr<negotiation::Writer> writer;
    int readers = 0;
};

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
                             static_cast<int>(FoxgloveTopic::map)));
    ASSERT_EQ(drawing.bytes.size(), 1U) << "what is known already comes at once";
    EXPECT_THAT(drawing.bytes[0], AllOf(HasSubstr(R"("column_count":2,"cell_size":{"x":0.500,"y":0.500})"),
                                        HasSubstr(R"("data":"//8AZA==")")));
    program.events->on_closed("gone");
    say(drawing, fmt::format(R"({{"op":"subscribe","subscriptions":[{{"id":2,"channelId":{}}}]}})",
                             static_cast<int>(FoxgloveTopic::scan)));
    loop.advance(200ms);
    ASSERT_TRUE(scan.type_was_negotiated<views::DeltaScan>()) << "the one that draws is reason enough";
    EXPECT_THAT(drawing.bytes.back(), HasSubstr(R"("end_angle":2.00000,"ranges":[1.000,2.000,3.000])"));
}

TEST_F(ApiViews, RefuseWhatIsNone) {
    want(program, R"("scam")");
    EXPECT_THAT(program.take("error"),
                ElementsAre(HasSubstr("there is no view `scam`; did you mean `scan`?")));
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
    constexpr auto rover_pose = static_cast<int>(FoxgloveTopic::pose);  // `rover` has sent the first datagram
    say(program,
        fmt::format(
            R"({{"op":"subscribe","subscriptions":[{{"id":7,"channelId":{}}},{{"id":8,"channelId":99}}]}})",
            rover_pose));
    EXPECT_THAT(program.heard.back(), HasSubstr("there is no channel 99"));
    robot.telemetry.pose.x = 1.5;
    loop.advance(1s);
    ASSERT_FALSE(program.bytes.empty());
    EXPECT_THAT(program.bytes.back(), HasSubstr(R"("position":{"x":1.500,)"));
    EXPECT_TRUE(program.bytes.back().starts_with(std::string("\x01\x07\0\0\0", 5)))
        << "opcode and subscription";
    const std::size_t before = program.bytes.size();
    say(program, R"({"op":"unsubscribe","subscriptionIds":[7]})");
    loop.advance(1s);
    EXPECT_EQ(program.bytes.size(), before);
    say(program, R"({"op":"advertise","channels":[]})");
    EXPECT_THAT(program.heard.back(), HasSubstr("only lets itself be watched"));
    request.origin = "https://elsewhere.example";
    EXPECT_EQ(api->answer(request).status, 403) << "pages of others do not look, either";
}

}  // namespace
}  // namespace caribou::station
