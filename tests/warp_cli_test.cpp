// A community with a time warp: mission file, command line, environment, launch.

#include <signal.h>

#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "child/program.hpp"
#include "platform/system_clock.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::tests {
namespace {

using testing::HasSubstr;
using testing::Not;

class WarpCli : public testing::Test {
protected:
    std::string mission(std::string_view globals) const {
        const std::string path = folder_ / "warp.moos";
        std::ofstream(path) << "ServerPort = 0\nCommunity = warpy\n"
                            << globals << "\nProcessConfig = ANTLER\n{\n  Run = MOOSDB\n}\n";
        return path;
    }
    /// Waits for the line with the broker's address, and returns its port.
    static std::string port_of(ChildProcess& program) {
        while (const auto line = program.read_line(limit))
            if (line->find("community warpy at") != std::string::npos)
                return line->substr(line->rfind(':') + 1);
        return "";
    }
    /// Checks by which factor the stamps of the broker and of a tool run faster than UNIX time.
    static void expect_warp(ChildProcess& program, double warp) {
        const std::string port = port_of(program);
        ASSERT_EQ(run({"poke", "X=1", "--port", port}).code, 0);
        for (const char* variable : {"DB_TIME", "X"}) {
            const auto seen = run({"watch", variable, "--json", "--count", "1", "--port", port});
            const auto at = seen.out.find("\"time\":");
            ASSERT_NE(at, std::string::npos) << seen.out << seen.err;
            EXPECT_NEAR(std::stod(seen.out.substr(at + 7)) / SystemClock().unix_seconds(), warp, 1e-5)
                << seen.out;
        }
        program.signal(SIGTERM);
        const auto end = end_of(program);
        EXPECT_EQ(end.code, 0) << end.err;
        EXPECT_THAT(end.out + end.err, Not(HasSubstr("stamps run at time warp")));
    }

    TemporaryFolder folder_;
};

TEST_F(WarpCli, StampsAsMoosProgramsExpectHoweverTheWarpIsGiven) {
    ChildProcess by_mission(command({"db", mission("MOOSTimeWarp = 10")}));
    expect_warp(by_mission, 10);
    ChildProcess by_option(command({"db", mission(""), "--moos_time_warp=5"}));
    expect_warp(by_option, 5);
    ChildProcess by_environment(command({"db", mission("MOOSTimeWarp = ${WARP}")}), {"WARP=4"});
    expect_warp(by_environment, 4);
    ChildProcess by_launch(command({"launch", mission("MOOSTimeWarp = 3")}));
    expect_warp(by_launch, 3);
    ChildProcess by_launch_option(command({"launch", mission("MOOSTimeWarp = 3"), "--warp", "8"}));
    expect_warp(by_launch_option, 8);
}

TEST_F(WarpCli, StampsWithTheTrueTimeWithoutAWarp) {
    ChildProcess plain(command({"db", mission("")}));
    expect_warp(plain, 1);
}

TEST_F(WarpCli, RecordsTheTimesOfTheCommunity) {
    ChildProcess broker(command({"db", mission("MOOSTimeWarp = 10")}));
    const std::string port = port_of(broker);
    const std::string log = folder_ / "log";
    ChildProcess record(command({"record", "-o", log, "--port", port}));
    ASSERT_TRUE(record.read_line(limit));
    ASSERT_EQ(run({"poke", "X=1", "--port", port}).code, 0);
    record.signal(SIGINT);
    ASSERT_EQ(end_of(record).code, 0);
    std::ifstream lines(log + ".alog");
    int values = 0;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("%") || line.empty()) continue;
        EXPECT_LT(std::abs(std::stod(line)), 1000) << line;
        ++values;
    }
    EXPECT_GT(values, 1);
}

}  // namespace
}  // namespace caribou::tests
