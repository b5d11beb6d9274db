// A full stop over a link that loses packets, or that carries no TCP. On separate processes, in a network
// namespace of its own.

#include <unistd.h>

#include <gtest/gtest.h>

#include "field/filtered_link.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;

class BadLink : public testing::Test {
protected:
    void SetUp() override {
        if (::geteuid() != 0) GTEST_SKIP() << "a network namespace takes root";
        ASSERT_TRUE(link.start());
    }

    FilteredLink link;
};

TEST_F(BadLink, StopsInTimeWhileThirtyPercentOfThePacketsAreLost) {
    for (int i = 0; i < 60; ++i) {
        ASSERT_TRUE(link.repair());
        ASSERT_TRUE(link.drive()) << i;
        ASSERT_TRUE(link.lose(30));
        const auto time = link.stop(1500ms);
        ASSERT_TRUE(time) << i;
        EXPECT_LE(*time, FilteredLink::lossy_limit) << i;
        EXPECT_TRUE(link.is_acknowledged(limit)) << i;
    }
}

TEST_F(BadLink, StopsInTimeWhileTcpIsCut) {
    for (int i = 0; i < 5; ++i) {
        ASSERT_TRUE(link.repair());
        ASSERT_TRUE(link.drive()) << i;
        ASSERT_TRUE(link.cut_tcp());
        const auto time = link.stop(1500ms);
        ASSERT_TRUE(time) << i;
        EXPECT_LE(*time, FilteredLink::cut_limit) << i;
        EXPECT_TRUE(link.is_acknowledged(1s)) << "as a datagram, too";
    }
}

TEST_F(BadLink, StopsARobotThatDrivesItselfAfterItsConnectionIsLost) {
    Operator& person = link.person();
    ASSERT_EQ(person.answer("release_stop", limit), "DONE");
    ASSERT_FALSE(person.answer_to(person.send("set_run_mode mode=2"), limit).value().refusal);
    ASSERT_TRUE(
        person.sees([this](const auto&) { return link.trace().take(), link.trace().latest().moves; }, limit));
    ASSERT_TRUE(link.cut_tcp());
    ASSERT_TRUE(
        person.sees([](const auto& rover) { return rover.status.mode == data::StationMode::wait; }, limit));
    const auto time = link.stop(5s);
    ASSERT_TRUE(time);
    EXPECT_LE(*time, FilteredLink::cut_limit);
    const auto answer = person.answer_to(link.stop_id(), limit).value();
    EXPECT_FALSE(answer.refusal) << answer.text;
    // Without datagrams, too, the robot is reported as unavailable, in time.
    ASSERT_TRUE(link.set_rules(link.tcp_of_robot("drop") + "\nmeta l4proto udp drop"));
    EXPECT_EQ(person.answer_to(person.send("full_stop"), 5s).value().refusal, data::Refusal::unavailable);
}

}  // namespace
}  // namespace caribou::tests
