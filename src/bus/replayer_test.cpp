#include "bus/replayer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bus/house_rig.hpp"

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

struct Theatre {
    Theatre() {
        audience->on_other_mail([this](const wire::MessageView& message) {
            seen.emplace_back(to_seconds(house.loop.clock().now() - began), message.value);
            last = wire::own(message);
        });
        check(audience->register_wildcard("X*", "*").has_value(), "it can be asked for");
        house.loop.advance(1s);
    }

    /// Plays to the end, but at most for an hour.
    Replayer::Progress play(std::string_view log, const Replayer::Options& options = {},
                            Duration limit = 1h) {
        Replayer replayer(
            house.loop, *player, log, options,
            [this](const wire::AlogEntry& e) { return !e.variable.ends_with(unwanted); },
            [](const wire::AlogReference& reference) -> Result<std::string_view> {
                if (reference.file != "a.blog") return fail(Code::not_found, "no such file");
                return std::string_view("0123456789").substr(reference.offset, reference.bytes);
            });
        seen.clear();
        ended = false;
        began = house.loop.clock().now();
        replayer.start([this] { ended = true; });
        house.loop.run_until([this] { return ended; }, limit);
        took = house.loop.clock().now() - began;
        house.loop.advance(1ms);
        return replayer.progress();
    }
    std::vector<double> values() const {
        std::vector<double> all;
        for (const auto& [time, value] : seen) all.push_back(value);
        return all;
    }

    HouseRig house;
    std::unique_ptr<Client> audience = house.client("audience");
    std::unique_ptr<Client> player =
        house.client("player", {.outbox = {.messages = 500, .when_full = WhenFull::refuse}});
    Instant began{};
    std::vector<std::pair<double, double>> seen;  ///< seconds since the start, and the value
    wire::Message last;
    std::string unwanted = "UNWANTED";
    bool ended = false;
    Duration took{0};
};

constexpr std::string_view small_log =
    "%% LOGSTART 1800000000\n"
    "0.5 X pNav:one 1\n1.0 DB_TIME MOOSDB_alpha 5\n2.5 X pNav 2\n2.5 XS pNav north\n10.5 X pNav 3\n11 "
    "X_UNWANTED q 4\n";

TEST(Replayer, WritesEachValueAtItsTimeUnderItsFirstName) {
    Theatre theatre;
    const auto progress = theatre.play(small_log);
    EXPECT_THAT(theatre.seen, ElementsAre(Pair(0.5, 1), Pair(2.5, 2), Pair(2.5, -1), Pair(10.5, 3)));
    EXPECT_EQ(theatre.last.source, "pNav");
    EXPECT_EQ(progress, (Replayer::Progress{.time = 10.5, .sent = 4, .left_out = 2, .rounds = 1}));
    EXPECT_TRUE(theatre.ended);
}

TEST(Replayer, PlaysFasterAndSlower) {
    Theatre theatre;
    theatre.play(small_log, {.speed = 10});
    EXPECT_EQ(theatre.took, 1050ms);
    theatre.play(small_log, {.speed = 0.5});
    EXPECT_EQ(theatre.took, 21s);
}

TEST(Replayer, PlaysAPartOnly) {
    Theatre theatre;
    theatre.play(small_log, {.from = 2, .to = 3});
    EXPECT_THAT(theatre.seen, ElementsAre(Pair(0.5, 2), Pair(0.5, -1)));
}

TEST(Replayer, BeginsAgainWhenToldTo) {
    Theatre theatre;
    const auto progress = theatre.play(small_log, {.to = 3, .loop = true}, 9s);
    EXPECT_FALSE(theatre.ended);
    EXPECT_GE(progress.rounds, 3u);
    EXPECT_THAT(theatre.play("1 DB_TIME MOOSDB_x 5\n", {.loop = true}).sent, 0);
    EXPECT_TRUE(theatre.ended) << "nothing to send is no reason to run for ever";
}

TEST(Replayer, WaitsForRoomAndLosesNothing) {
    Theatre theatre;
    std::string log;
    std::vector<double> expected;
    for (int i = 0; i < 10'000; ++i) {
        log += "0.1 X s " + std::to_string(i) + "\n";
        expected.push_back(i);
    }
    EXPECT_EQ(theatre.play(log, {.speed = 0}).sent, 10'000u);
    theatre.house.loop.advance(1s);
    EXPECT_EQ(theatre.values(), expected);
}

TEST(Replayer, TakesValuesFromTheFileBeside) {
    Theatre theatre;
    const auto progress = theatre.play(
        "1 X s <MOOS_BINARY>File=a.blog,Offset=2,Bytes=3</MOOS_BINARY>\n"
        "2 X s <MOOS_BINARY>File=b.blog,Offset=2,Bytes=3</MOOS_BINARY>\n");
    EXPECT_EQ(theatre.last.payload, "234");
    EXPECT_TRUE(theatre.last.is_binary());
    EXPECT_EQ(progress.unreadable, 1u);
}

}  // namespace
}  // namespace caribou::bus
