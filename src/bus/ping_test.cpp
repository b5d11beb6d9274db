#include "bus/ping.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bus/house_rig.hpp"

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;
using testing::Each;
using testing::ElementsAre;

TEST(Ping, TakesTheTimeOfEachRound) {
    HouseRig house;
    const auto client = house.client("ping");
    house.network.set_faults({.min_delay = 5ms, .max_delay = 5ms});
    Ping ping(house.loop, *client, {.rounds = 3, .interval = 100ms});
    int heard = 0;
    bool ended = false;
    ASSERT_TRUE(ping.start([&](PingRound) { ++heard; }, [&] { ended = true; }));
    ASSERT_TRUE(house.loop.run_until([&] { return ended; }, 5s));
    EXPECT_EQ(heard, 3);
    EXPECT_THAT(ping.rounds(), ElementsAre(10ms, 10ms, 10ms));
}

TEST(Ping, CountsARoundThatDoesNotComeBackAsLost) {
    HouseRig house;
    const auto client = house.client("ping");
    Ping ping(house.loop, *client, {.rounds = 2, .interval = 100ms, .limit = 500ms});
    bool ended = false;
    ASSERT_TRUE(ping.start([](PingRound) {}, [&] { ended = true; }));
    client->stop();
    ASSERT_TRUE(house.loop.run_until([&] { return ended; }, 5s));
    EXPECT_THAT(ping.rounds(), Each(std::nullopt));
}

TEST(Ping, PassesOverTheRoundsOfOthers) {
    HouseRig house;
    const auto one = house.client("one");
    const auto two = house.client("two");
    house.network.set_faults({.min_delay = 5ms, .max_delay = 5ms});
    Ping first(house.loop, *one, {.rounds = 5, .interval = 20ms});
    Ping second(house.loop, *two, {.rounds = 5, .interval = 20ms});
    int ended = 0;
    ASSERT_TRUE(first.start([](PingRound) {}, [&] { ++ended; }));
    house.loop.advance(3ms);
    ASSERT_TRUE(second.start([](PingRound) {}, [&] { ++ended; }));
    ASSERT_TRUE(house.loop.run_until([&] { return ended == 2; }, 5s));
    EXPECT_THAT(first.rounds(), Each(10ms));
    EXPECT_THAT(second.rounds(), Each(10ms));
}

TEST(PingReport, DrawsAHistogram) {
    EXPECT_EQ(ping_report({80us, 90us, 150us, std::nullopt, 700us}),
              "5 rounds, 1 lost\n"
              "min 80  median 150  p99 700  max 700 us\n"
              "< 100 us      2  ########################################\n"
              "< 200 us      1  ####################\n"
              "< 500 us      0  \n"
              "  < 1 ms      1  ####################\n");
    EXPECT_EQ(ping_report({std::nullopt}), "1 rounds, 1 lost\n");
    EXPECT_EQ(ping_json({80us, std::nullopt}),
              R"({"rounds":2,"lost":1,"min_us":80.0,"median_us":80.0,"p99_us":80.0,"max_us":80.0})");
}

}  // namespace
}  // namespace caribou::bus
