// A scope from the broker to the screen.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include <fmt/format.h>

#include "bus/board_feed.hpp"
#include "bus/client_rig.hpp"
#include "bus/house_rig.hpp"
#include "bus/scope_view.hpp"

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

struct Scope {
    explicit Scope(ScopeView::Options options = {}) : view(std::move(options)) {
        feed.start();
        house.loop.advance(100ms);
    }
    void write(std::string_view key, double value) {
        check(writer->notify(key, value).has_value(), "there is room");
        house.loop.advance(10ms);
    }
    std::vector<std::string> names() {
        view.arrange(board, house.loop.clock().now(), page);
        std::vector<std::string> all;
        for (const Board::Row* row : view.rows()) all.push_back(row->name);
        std::erase_if(all, [](const std::string& name) { return name.starts_with("DB_"); });
        return all;
    }
    std::string screen(ScreenSize size = {.rows = 9, .columns = 70}) {
        view.arrange(board, house.loop.clock().now(), scope_page(size));
        return scope_screen(view, board, house.loop.clock().now(), size, "scope c");
    }

    HouseRig house;
    std::unique_ptr<Client> writer = house.client("pNav");
    std::unique_ptr<Client> client = house.client("scope");
    Board board;
    std::size_t page = 10;
    int answers = 0;
    ScopeView view;
    BoardFeed feed{house.loop, *client, board, 1s, [this](bool same) {
                       ++answers;
                       if (!same) view.forget_rows();
                   }};
};

TEST(Scope, ShowsWhatIsThereAndWhatChanges) {
    Scope scope({.filter = "NAV"});
    scope.write("NAV_X", 1.5);
    scope.house.loop.advance(1s);
    EXPECT_THAT(scope.names(), ElementsAre("NAV_X"));
    scope.write("NAV_Y", 2);
    scope.write("NAV_X", 2.5);
    scope.house.loop.advance(1s);
    EXPECT_THAT(scope.names(), ElementsAre("NAV_X", "NAV_Y"));
    EXPECT_EQ(scope.board.find("NAV_X")->number, 2.5);
}

TEST(Scope, TakesListsOfVariablesAndSources) {
    Scope scope({.filter = "NAV_X  *_SPEED"});
    scope.write("NAV_X", 1);
    scope.write("NAV_Y", 2);
    scope.write("DESIRED_SPEED", 3);
    scope.house.loop.advance(1s);
    EXPECT_THAT(scope.names(), ElementsAre("DESIRED_SPEED", "NAV_X"));
    Scope others({.sources = {"pHelm*", "uSim*"}});
    others.write("NAV_X", 1);
    others.house.loop.advance(1s);
    EXPECT_THAT(others.names(), ElementsAre());
    Scope own({.sources = {"pHelm*", "pNav"}});
    own.write("NAV_X", 1);
    own.house.loop.advance(1s);
    EXPECT_THAT(own.names(), ElementsAre("NAV_X"));
}

TEST(Scope, ShowsCommunityAndAuxIfAskedTo) {
    Scope scope({.filter = "NAV", .shows_community = true, .shows_aux = true});
    check(scope.writer->notify("NAV_X", 1.5, {.aux = "gps"}).has_value(), "there is room");
    scope.house.loop.advance(1s);
    scope.names();
    const std::string text = scope_text(scope.view, scope.board, scope.house.loop.clock().now());
    EXPECT_THAT(text, AllOf(HasSubstr("SOURCE           COMMUNITY    AUX "), HasSubstr(" gps ")));
}

TEST(Scope, ShowsVariablesInTheirColors) {
    Scope scope(
        {.filter = "NAV",
         .colors = {parse_scope_color("NAV_Y=green").value(), parse_scope_color("NAV_Z*,red").value()}});
    for (const auto* name : {"NAV_X", "NAV_Y", "NAV_ZZ"}) scope.write(name, 1);
    scope.house.loop.advance(1s);
    EXPECT_THAT(scope.screen(), AllOf(HasSubstr("\n\x1b[32mNAV_Y "), HasSubstr("\n\x1b[31mNAV_ZZ ")));
    EXPECT_THAT(parse_scope_color("NAV_X=blu").error().message,
                HasSubstr("is not VAR=COLOR; the colors are"));
}

TEST(Scope, ListsItsKeysAndTakesAPoke) {
    Scope scope({.filter = "NAV"});
    scope.write("NAV_X", 1.5);
    scope.house.loop.advance(1s);
    scope.names();
    EXPECT_TRUE(scope.view.press("?"));
    EXPECT_THAT(scope.screen({.rows = 20, .columns = 100}), HasSubstr("p VAR=VALUE enter"));
    EXPECT_TRUE(scope.view.press("x"));
    EXPECT_FALSE(scope.view.helping());
    EXPECT_TRUE(scope.view.press("p2.5q"));
    EXPECT_THAT(scope.screen(), HasSubstr("poke: NAV_X=2.5q_"));
    EXPECT_TRUE(scope.view.press("\x7f\r"));
    EXPECT_EQ(scope.view.take_poke(), "NAV_X=2.5");
    EXPECT_EQ(scope.view.take_poke(), std::nullopt);
    EXPECT_TRUE(scope.view.press("p\x1b"));
    EXPECT_EQ(scope.view.take_poke(), std::nullopt);
}

TEST(Scope, AsksOnlyForWhatHasChanged) {
    Scope scope;
    for (int i = 0; i < 1000; ++i) scope.write(fmt::format("V{}", i), i);
    scope.house.loop.advance(2s);
    EXPECT_THAT(scope.names(), testing::SizeIs(1000));
    const auto before = scope.client->stats().messages_received;
    scope.write("V7", 77);
    scope.house.loop.advance(1s);
    EXPECT_EQ(scope.board.find("V7")->number, 77);
    EXPECT_LT(scope.client->stats().messages_received - before, 20u);
}

TEST(Scope, DrawsOnlyWhatIsVisible) {
    Scope scope({.filter = "V?"});
    for (const int i : {0, 1, 2, 3, 4, 5, 6}) scope.write(fmt::format("V{}", i), i);
    scope.house.loop.advance(1s);
    const std::string screen = scope.screen();
    EXPECT_EQ(std::ranges::count(screen, '\n'), 9);
    EXPECT_THAT(screen, AllOf(HasSubstr("scope c  7 of 8 with `V?`"), HasSubstr("\x1b[7mV0 "),
                              HasSubstr("\nV4 "), Not(HasSubstr("V5 "))));
    scope.view.press("G");
    EXPECT_THAT(scope.screen(), AllOf(HasSubstr("\x1b[7mV6 "), HasSubstr("\nV2 "), Not(HasSubstr("V1 "))));
    scope.view.press("\x1b[A\x1b[A");
    EXPECT_THAT(scope.screen(), HasSubstr("\x1b[7mV4 "));
}

TEST(Scope, FiltersAsOneTypes) {
    Scope scope;
    scope.write("NAV_X", 1);
    scope.write("DEPTH", 1);
    scope.house.loop.advance(1s);
    EXPECT_TRUE(scope.view.press("/AV_q"));
    EXPECT_TRUE(scope.view.typing());
    EXPECT_THAT(scope.names(), ElementsAre());
    scope.view.press("\x7f");
    EXPECT_THAT(scope.names(), ElementsAre("NAV_X"));
    EXPECT_TRUE(scope.view.press("\r"));
    EXPECT_FALSE(scope.view.typing());
    scope.view.press("\x1b");
    EXPECT_THAT(scope.names(), ElementsAre("DEPTH", "NAV_X"));
    scope.view.press("/N*X\r");
    EXPECT_THAT(scope.names(), ElementsAre("NAV_X"));
    EXPECT_FALSE(scope.view.press("q"));
}

TEST(Scope, SortsByEachColumn) {
    Scope scope({.filter = "V_"});
    const auto other = scope.house.client("aaa");
    scope.write("V_B", 1);
    for (int i = 0; i < 30; ++i) scope.write("V_C", i);
    scope.house.loop.advance(1s);
    ASSERT_TRUE(other->notify("V_D", 1.0));
    for (int i = 0; i < 100; ++i) scope.write("V_C", i);
    scope.write("V_A", 1);
    scope.house.loop.advance(1s);
    EXPECT_THAT(scope.names(), ElementsAre("V_A", "V_B", "V_C", "V_D"));
    scope.view.press("s");
    EXPECT_THAT(scope.names(), ElementsAre("V_A", "V_C", "V_D", "V_B"));
    scope.view.press("s");
    EXPECT_EQ(scope.names().front(), "V_C");
    scope.view.press("s");
    EXPECT_THAT(scope.names(), ElementsAre("V_D", "V_A", "V_B", "V_C"));
    scope.view.press("r");
    EXPECT_THAT(scope.names(), ElementsAre("V_C", "V_B", "V_A", "V_D"));
}

TEST(Scope, KeepsTheCursorOnItsVariable) {
    Scope scope({.filter = "V"});
    scope.write("V5", 1);
    scope.house.loop.advance(1s);
    scope.names();
    scope.view.press("G");
    scope.write("V1", 1);
    scope.house.loop.advance(1s);
    scope.names();
    EXPECT_EQ(scope.view.rows()[scope.view.cursor()]->name, "V5");
}

TEST(Scope, ShowsTheHistoryOfOneVariable) {
    Scope scope({.filter = "NAV"});
    scope.write("NAV_X", 1);
    scope.house.loop.advance(1s);
    scope.names();
    scope.view.press("\r");
    EXPECT_EQ(scope.view.open(), "NAV_X");
    for (int i = 0; i < 2000; ++i)
        scope.view.add({.time = double(i), .value = std::to_string(i), .source = "pNav"});
    EXPECT_EQ(scope.view.history().size(), 1000u);
    const std::string screen = scope.screen();
    EXPECT_EQ(std::ranges::count(screen, '\n'), 9);
    EXPECT_THAT(screen, AllOf(HasSubstr("scope c  NAV_X"), HasSubstr("00:33:19.000  pNav             1999\n"),
                              Not(HasSubstr("1994"))));
    scope.view.press("\r");
    EXPECT_EQ(scope.view.open(), "");
}

TEST(Scope, ForgetsWhatABrokerThatWasClearedHasForgotten) {
    Scope scope;
    scope.write("X", 1);
    scope.house.loop.advance(5s);
    ASSERT_TRUE(scope.writer->server_request("DB_CLEAR"));
    scope.house.loop.advance(100ms);
    scope.write("Y", 1);
    scope.house.loop.advance(3s);
    EXPECT_THAT(scope.names(), ElementsAre("Y"));
}

TEST(Scope, AsksABrokerOfAnotherKindForEverything) {
    ClientRig rig;
    rig.connect();
    Board board;
    BoardFeed feed(rig.loop, rig.client, board, 1s, [](bool) {});
    feed.start();
    rig.run(4s);
    const auto asked = rig.broker().messages(wire::MessageType::server_request);
    ASSERT_GE(asked.size(), 2u);
    EXPECT_THAT(asked[0].key, testing::StartsWith("ALL_SINCE="));
    EXPECT_EQ(asked[1].key, "ALL");
    auto told = ClientRig::number("NAV_X", 5);
    told.id = wire::server_request_id;
    rig.broker().send(told);
    rig.loop.run_ready();
    ASSERT_NE(board.find("NAV_X"), nullptr);
}

TEST(Scope, IsSafeToPrintAndFitsTheScreen) {
    Scope scope({.filter = "\x1b[2J"});
    ASSERT_TRUE(scope.writer->notify("a\x1b[2Jäöü", std::string(5000, 'x') + "\x1b[31m"));
    scope.house.loop.advance(1s);
    const std::string screen = scope.screen({.rows = 6, .columns = 40});
    EXPECT_THAT(screen,
                AllOf(HasSubstr("a\\x1b[2Jäöü"), Not(HasSubstr("\x1b[2J")), Not(HasSubstr("\x1b[31m"))));
}

TEST(Scope, PrintsAllRowsForAPipe) {
    Scope scope({.filter = "V"});
    scope.write("V_1", 1.5);
    ASSERT_TRUE(scope.writer->notify("V_2", "north"));
    scope.house.loop.advance(1s);
    scope.view = ScopeView({.filter = "V_"});
    scope.names();
    const Instant now = scope.house.loop.clock().now();
    EXPECT_EQ(scope_text(scope.view, scope.board, now),
              "VARIABLE                 SOURCE              AGE     RATE T VALUE\n"
              "V_1                      pNav               1.0s        - D 1.5\n"
              "V_2                      pNav               1.0s        - S north\n");
    EXPECT_THAT(
        scope_json(scope.view, scope.board, now),
        AllOf(testing::StartsWith(R"([{"variable":"V_1","type":"number","value":1.5,"source":"pNav","age":)"),
              testing::EndsWith("}]")));
}

}  // namespace
}  // namespace caribou::bus
