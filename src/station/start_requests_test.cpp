#include "station/start_requests.hpp"

#include <map>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loop/virtual_loop.hpp"

namespace caribou::station {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

class StartRequestsTest : public testing::Test {
protected:
    void request(const std::string& robot) {
        requests.request(robot, [this, robot](const Result<std::string>& outcome) {
            outcomes.push_back(robot + (outcome ? " + " + *outcome : " - " + outcome.error().message));
        });
    }
    std::vector<std::string> done() {
        loop.run_ready();
        return std::exchange(outcomes, {});
    }

    VirtualLoop loop;
    std::vector<std::string> printed;
    std::vector<std::string> outcomes;
    StartRequests requests{loop, [this](const std::string& line) { printed.push_back(line); }};
};

TEST_F(StartRequestsTest, EndWithTheReportOfTheSupervisor) {
    request("rover");
    request("yard/mole: 2");
    EXPECT_THAT(printed, ElementsAre("start again: rover", "start again: yard/mole: 2"));
    EXPECT_THAT(done(), IsEmpty());
    requests.take(start_report("rover", std::string("it was killed; started, process 7")));
    EXPECT_THAT(done(), ElementsAre("rover + it was killed; started, process 7"));
    requests.take(
        start_report("yard/mole: 2", fail(Code::unavailable, "cannot start `caribou`: no such file")));
    EXPECT_THAT(done(), ElementsAre("yard/mole: 2 - cannot start `caribou`: no such file"));
    loop.advance(1min);
    EXPECT_THAT(done(), IsEmpty()) << "each ends once";
}

TEST_F(StartRequestsTest, FailWithoutAReport) {
    request("rover");
    loop.advance(StartRequests::limit - 1ms);
    EXPECT_THAT(done(), IsEmpty());
    loop.advance(1ms);
    EXPECT_THAT(
        done(),
        ElementsAre("rover - the supervisor of the robot's process did not report a result within 10s"));
}

TEST_F(StartRequestsTest, OfSeveralPersonsEndTogether) {
    request("rover");
    request("rover");
    requests.take("started: rover: process 7");
    EXPECT_THAT(done(), ElementsAre("rover + process 7", "rover + process 7"));
}

TEST_F(StartRequestsTest, IgnoreOtherLines) {
    request("rover");
    for (const char* const line :
         {"", "started: rover", "started: mole: process 7", "hello", "not started: ", "started: rove: r: x"})
        requests.take(line);
    EXPECT_THAT(done(), IsEmpty());
}

}  // namespace
}  // namespace caribou::station
