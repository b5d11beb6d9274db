#include "bus/appcast_board.hpp"

#include <gtest/gtest.h>

namespace caribou::bus {
namespace {

AppCastBoard board_of_two() {
    AppCastBoard board;
    EXPECT_TRUE(board.take(to_string(AppCast{.proc = "pB", .node = "beta", .iteration = 1})));
    EXPECT_TRUE(board.take(to_string(AppCast{.proc = "pB", .node = "beta", .iteration = 2})));
    EXPECT_TRUE(board.take(to_string(AppCast{.proc = "pA",
                                             .iteration = 7,
                                             .messages = {"\x1b[7;32mOK\x1b[0m \x1b]0;title", "end"},
                                             .config_warnings = {"first", "second"},
                                             .events = {"[0.10]: old", "[2.00]: new"},
                                             .run_warning_total = 3,
                                             .run_warnings = {{"no fix", 3}}})));
    EXPECT_FALSE(board.take("nonsense"));
    return board;
}

TEST(AppCastBoard, ListsTheLatestReportOfEachAppByCommunity) {
    const AppCastBoard board = board_of_two();
    EXPECT_EQ(appcast_table(board.matching("*", "*")),
              "NODE             APP                      ITERATIONS   CONFIG      RUN\n"
              "beta             pB                                2        0        0\n"
              "unknown_node     pA                                7        2        3\n");
    EXPECT_EQ(board.matching("be*", "p?").size(), 1u);
    EXPECT_TRUE(board.matching("*", "pC").empty());
}

TEST(AppCastBoard, ShowsAWholeReportWithoutTerminalEscapes) {
    const AppCastBoard board = board_of_two();
    EXPECT_EQ(appcast_page(*board.matching("*", "pA").at(0)),
              "pA unknown_node                                                           2/3(7)\n"
              "Configuration Warnings:\n"
              "  [1 of 2]: first\n"
              "  [2 of 2]: second\n"
              "Run Warnings:\n"
              "  [3]: no fix\n"
              "OK \\x1b]0;title\n"
              "end\n"
              "Most Recent Events:\n"
              "  [2.00]: new\n"
              "  [0.10]: old\n");
}

TEST(AppCastBoard, PrintsReportsAsJson) {
    const AppCastBoard board = board_of_two();
    EXPECT_EQ(appcast_json(board.matching("beta", "*")),
              R"([{"node":"beta","app":"pB","iterations":2,"messages":[],"config_warnings":[],)"
              R"("run_warnings":{},"run_warning_total":0,"events":[]}])");
}

}  // namespace
}  // namespace caribou::bus
