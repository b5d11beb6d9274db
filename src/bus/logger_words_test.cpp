#include "bus/logger_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bus/sync_log.hpp"

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

TEST(LoggerWords, AreReadOrNameTheMistake) {
    EXPECT_EQ(parse_logged_variable("NAV_X @ 0.5 NOSYNC MONITOR").value(),
              (LoggedVariable{"NAV_X", 500ms, false}));
    EXPECT_EQ(parse_logged_variable("NAV_X@0").value(), (LoggedVariable{"NAV_X", 0ms, true}));
    EXPECT_EQ(parse_logged_variable("MODE").value(), (LoggedVariable{"MODE", 0ms, true}));
    EXPECT_THAT(parse_logged_variable("NAV_X @ 1 NOSINC").error().message,
                HasSubstr("there is no `NOSINC` here"));
    EXPECT_THAT(parse_logged_variable("@ 1").error().message, HasSubstr("is not VARIABLE @ SECONDS"));
    EXPECT_THAT(parse_logged_variable("X @ fast").error().message,
                HasSubstr("`fast` is not a number of seconds"));
    EXPECT_EQ(parse_sync_log("true @ 0.2").value(), 200ms);
    EXPECT_EQ(parse_sync_log("TRUE @ 0.001").value(), 100ms);
    EXPECT_EQ(parse_sync_log("false").value(), 0ms);
    EXPECT_THAT(parse_sync_log("true").error().message, HasSubstr("is not `true @ SECONDS`"));
    EXPECT_EQ(parse_logger_request("COPY_FILE_REQUEST = alpha.bhv").value(),
              (LoggerRequest{.file = "alpha.bhv"}));
    EXPECT_EQ(parse_logger_request("LOG_REQUEST=X @ 1 NOSYNC").value(),
              (LoggerRequest{.variable = {"X", 1s, false}}));
    EXPECT_THAT(parse_logger_request("COPY = x").error().message, HasSubstr("is neither"));
}

TEST(SyncLog, WritesAColumnForEachVariable) {
    SyncLog log({"NAV_X", "MODE"}, 2);
    EXPECT_EQ(log.header("a.slog", 1'800'000'000.5),
              "%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\n"
              "%% LOG FILE:       a.slog\n"
              "%% LOGSTART           1800000000.500000\n"
              "%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\n"
              "%%   (1) TIME\n"
              "%%   (2) NAV_X\n"
              "%%   (3) MODE\n"
              "%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\n");
    log.set({.key = "NAV_X", .value = 3});
    log.set({.key = "NAV_X", .value = 4.567});
    log.set({.data_type = wire::DataType::string, .key = "MODE", .payload = "DRIVE"});
    log.set({.key = "OTHER", .value = 1});
    EXPECT_EQ(log.line(0.2),
              "%TIME             NAV_X             MODE             \n"
              "0.20000           4.57              NaN              \n");
    EXPECT_EQ(log.line(0.4), "0.40000           NaN               NaN              \n");
    int titles = 0;
    for (int i = 2; i < 60; ++i) titles += log.line(i).starts_with('%') ? 1 : 0;
    EXPECT_EQ(titles, 1) << "every 30 lines";
}

}  // namespace
}  // namespace caribou::bus
