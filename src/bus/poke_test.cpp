#include "bus/poke.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "bus/house_rig.hpp"

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;

struct Poker {
    Result<void> poke(const std::vector<std::string>& texts) {
        std::vector<Assignment> values;
        for (const std::string& text : texts) values.push_back(Assignment::parse(text).value());
        const auto client = house.client("poker");
        std::optional<Result<void>> outcome;
        Poke poke(*client, std::move(values));
        poke.start([&](Result<void> result) { outcome = std::move(result); });
        house.loop.run_until([&] { return outcome.has_value(); }, 10s);
        return outcome ? *outcome : fail(Code::timed_out, "it does not end");
    }
    double number(std::string_view key) { return house.broker.broker().exchange().find(key)->value().value; }

    HouseRig house;
};

TEST(Poke, WritesValuesOfEveryType) {
    Poker rig;
    ASSERT_TRUE(rig.poke({"X=1.5", "S=north", "B:binary=00ff", "X=2.5"}));
    EXPECT_EQ(rig.number("X"), 2.5);
    const auto s = rig.house.broker.broker().exchange().find("S")->value();
    EXPECT_EQ(s.payload, "north");
    EXPECT_EQ(s.source, "poker");
    EXPECT_TRUE(rig.house.broker.broker().exchange().find("B")->value().is_binary());
}

TEST(Poke, WritesTheTimeAsAString) {
    Poker rig;
    rig.house.loop.advance(1s);
    ASSERT_TRUE(rig.poke({"A=@MOOSTIME", "B:=@UTC", "C=@NOON"}));
    const auto text = [&](std::string_view key) {
        return std::string(rig.house.broker.broker().exchange().find(key)->value().payload);
    };
    EXPECT_NEAR(std::stod(text("A")), rig.house.loop.clock().unix_seconds(), 1);
    EXPECT_EQ(text("A").size() - text("A").find('.'), 3U) << "two decimals";
    EXPECT_EQ(text("B"), text("A"));
    EXPECT_EQ(text("C"), "@NOON");
}

TEST(Poke, RefusesAnotherTypeThanTheVariablesAndWritesNothing) {
    Poker rig;
    ASSERT_TRUE(rig.poke({"X=1", "MODE=RM2"}));
    const auto clash = rig.poke({"Y=1", "X=north"});
    ASSERT_FALSE(clash);
    EXPECT_EQ(clash.error().code, Code::refused);
    EXPECT_EQ(clash.error().message, "X holds numbers (`1`, written by poker); a string is refused");
    EXPECT_FALSE(rig.house.broker.broker().exchange().find("Y")->is_written());
    EXPECT_THAT(rig.poke({"MODE=2"}).error().message,
                AllOf(HasSubstr("MODE holds strings (`RM2`"), HasSubstr("write MODE:=VALUE")));
    EXPECT_TRUE(rig.poke({"MODE:=2"}));
}

TEST(Poke, TellsWhenTheBrokerDoesNotTakeAValue) {
    Poker rig;
    const auto refused = rig.poke({"X=1", std::string(5000, 'N') + "=1"});
    ASSERT_FALSE(refused);
}

TEST(Poke, FailsWhenTheBrokerIsLost) {
    Poker rig;
    const auto client = rig.house.client("poker");
    std::optional<Result<void>> outcome;
    Poke poke(*client, {{.key = "X", .number = 1}});
    poke.start([&](Result<void> result) { outcome = std::move(result); });
    client->stop();
    rig.house.loop.run_ready();
    ASSERT_TRUE(outcome.has_value());
    EXPECT_EQ(outcome->error().code, Code::unreachable);
}

}  // namespace
}  // namespace caribou::bus
