#include "station/api_access.hpp"

#include <algorithm>

#include "station/api_rig.hpp"
#include "station/watcher.hpp"

namespace caribou::station {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

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
    loop.advance(5s);  // the connection closes late
    const auto is_closed = [](const auto& line) { return line.text.contains("it has not read"); };
    EXPECT_EQ(std::ranges::count_if(log.lines, is_closed), 1);
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

TEST_F(ApiTest, LimitsTakingTheLeaseByTokenNotByName) {
    open_station({.access = {.tokens = {{"secret", link::Role::drive},
                                        {"other", link::Role::drive},
                                        {"third", link::Role::drive}}}});
    add_robot();
    loop.advance(1s);
    int last_id = 0;
    const auto take = [&](Program& who) {
        who.heard.clear();
        command(who, ++last_id, "take_lease");
        loop.advance(100ms);
        return who.take("answer");
    };
    const auto refused = ElementsAre(HasSubstr("the lease was taken with your key less than 5 s ago"));
    Program bob;
    Program rob;
    Program eve;
    watch(program, stream("?name=ann&token=other"));
    watch(bob, stream("?name=bob&token=secret"));
    watch(rob, stream("?name=rob&token=secret"));
    watch(eve, stream("?name=eve&token=third"));
    EXPECT_THAT(take(program), ElementsAre(HasSubstr("DONE")));
    EXPECT_THAT(take(bob), ElementsAre(HasSubstr("DONE")));
    EXPECT_THAT(take(program), ElementsAre(HasSubstr("DONE"))) << "back";
    EXPECT_THAT(take(bob), refused);
    EXPECT_THAT(take(rob), refused) << "the same token under another name";
    EXPECT_THAT(take(eve), ElementsAre(HasSubstr("DONE"))) << "another token";
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
    loop.advance(1s);
    for (std::size_t i = 0; i <= Watcher::halts_per_second; ++i)
        command(program, 100 + static_cast<int>(i), "move movement=HALT");
    EXPECT_EQ(robot.told().size(), 3 + Watcher::halts_per_second) << "more would only occupy the robot";
    EXPECT_THAT(program.take("answer").back(), HasSubstr(R"("refusal":"BUSY")"));
    loop.advance(1s);
    command(program, 200, "move movement=HALT");
    EXPECT_THAT(program.take("answer"), ElementsAre(HasSubstr("DONE")));
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
    say(second, R"({"type":"heartbeat"})");
    loop.advance(2500ms);
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

TEST_F(ApiTest, RefusesAWatcherWithAReasonIfAllOthersOfItsRoleAreActive) {
    open_station({.max_watchers = 2});
    Program second;
    watch(program);
    watch(second);
    for (Program* const each : {&program, &second}) say(*each, R"({"type":"heartbeat"})");
    loop.advance(2s);
    std::vector<Program> more(RefusedChannels::most);
    for (Program& each : more) {
        EXPECT_EQ(api->answer(stream()).status, 101u)
            << "a browser reads the reason of a closed WebSocket only";
        watch(each);
        EXPECT_EQ(each.refused, "Too many watchers (limit 2), and none of them is idle.");
        EXPECT_TRUE(each.heard.empty());
    }
    EXPECT_EQ(api->answer(stream()).status, 503u) << "the number of those that are being closed is limited";
    more[0].events->on_closed("");
    loop.run_ready();
    EXPECT_EQ(api->answer(stream()).status, 101u);
    EXPECT_EQ(api->watchers(), 2u);
    EXPECT_FALSE(program.closed || second.closed) << "none makes room for another that is as active";
}

}  // namespace
}  // namespace caribou::station
