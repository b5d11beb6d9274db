// The share of a turn that the input of one client may take (BrokerLimits::turn_work).

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "bus/broker_rig.hpp"

namespace caribou::bus {
namespace {

using testing::SizeIs;
using wire::Message;

BrokerOptions with_share(std::size_t steps) {
    BrokerOptions options{.community = "c"};
    options.limits.turn_work = steps;
    return options;
}

void end_turn(BrokerRig& rig) {
    std::vector<ConnectionId> ready;
    rig.broker.take_ready(ready, rig.at);
}

TEST(Turn, EndsForAClientThatHasUsedUpItsShareAndServesTheOthers) {
    BrokerRig rig(with_share(100));
    const auto other = rig.join("other");
    for (int i = 0; i < 50; ++i) rig.send(other, BrokerRig::number("V" + std::to_string(i), i));
    end_turn(rig);
    const auto greedy = rig.join("greedy");
    std::vector<Message> demands(10, BrokerRig::wildcard("AppPattern=*,VarPattern=V*"));
    demands.push_back(BrokerRig::number("LAST", 1));
    rig.send(greedy, demands);
    EXPECT_TRUE(rig.broker.is_waiting(greedy));
    EXPECT_TRUE(rig.broker.has_work());
    EXPECT_EQ(rig.broker.find_client("greedy")->traffic.messages_in, 2u) << "its name, and one demand";
    rig.send(other, BrokerRig::number("X", 1));
    EXPECT_NE(rig.broker.exchange().find("X"), nullptr) << "another client is served";
    EXPECT_FALSE(rig.broker.is_waiting(other));
    int turns = 0;
    for (; rig.broker.has_work(); ++turns) {
        EXPECT_EQ(rig.broker.exchange().find("LAST"), nullptr);
        rig.jump(std::chrono::seconds(1));
        end_turn(rig);
    }
    EXPECT_EQ(turns, 10);
    EXPECT_NE(rig.broker.exchange().find("LAST"), nullptr);
    EXPECT_FALSE(rig.broker.is_waiting(greedy));
    rig.jump(std::chrono::seconds(1));
    EXPECT_NE(rig.broker.find_client("greedy"), nullptr) << "it was not silent while it had to wait";
    EXPECT_THAT(rig.receive(greedy), SizeIs(500));
}

TEST(Turn, CountsTheBytesOfLatestValues) {
    BrokerRig rig(with_share(1000));
    const auto id = rig.join("a");
    rig.send(id, BrokerRig::text("LARGE", std::string(100'000, 'x')));
    end_turn(rig);
    rig.send(id, std::vector<Message>(3, BrokerRig::registration("LARGE")));
    EXPECT_EQ(rig.broker.find_client("a")->traffic.messages_in, 3u) << "name, value, one registration";
    end_turn(rig);
    end_turn(rig);
    EXPECT_THAT(rig.receive(id), SizeIs(3));
}

TEST(Turn, AnswersASynchronousClientOncePerPacketThatHadToWait) {
    BrokerRig rig(with_share(1));
    const auto id = rig.join("a", true);
    Bytes both = wire::encode_packet(std::vector{BrokerRig::registration("X"), BrokerRig::number("X", 1)});
    append(both, wire::encode_packet(std::vector{BrokerRig::number("X", 2)}));
    rig.send(id, both);
    std::size_t packets = 0;
    do packets += rig.packets(id).size();
    while (rig.broker.has_work());
    EXPECT_EQ(packets + rig.packets(id).size(), 2u);
}

TEST(Turn, ForgetsTheInputOfAClientThatLeavesOrIsCut) {
    BrokerRig rig(with_share(1));
    const auto leaves = rig.join("leaves");
    const auto cut = rig.join("cut");
    const std::vector<Message> demands(3, BrokerRig::wildcard("AppPattern=*,VarPattern=*"));
    rig.send(leaves, demands);
    Bytes malformed = wire::encode_packet(std::vector{BrokerRig::number("X", 1)});
    store_le<std::int32_t>(malformed.data() + wire::packet_header_size, -5);
    Bytes input = wire::encode_packet(demands);
    append(input, malformed);
    rig.send(cut, input);
    rig.broker.disconnect(leaves, "gone", rig.at);
    for (int i = 0; i < 5; ++i) end_turn(rig);
    EXPECT_FALSE(rig.broker.has_work());
    EXPECT_FALSE(rig.broker.is_waiting(leaves));
    EXPECT_THAT(rig.broker.take_closed(), SizeIs(1));
    EXPECT_EQ(rig.broker.client_count(), 0u);
}

rc::Gen<Message> demand() {
    const auto variable = rc::gen::map(rc::gen::inRange(0, 4),
                                       [](int i) { return std::string(1, static_cast<char>('A' + i)); });
    return rc::gen::mapcat(rc::gen::inRange(0, 5), [=](int kind) {
        return rc::gen::map(variable, [kind](const std::string& name) {
            if (kind == 0) return BrokerRig::registration(name);
            if (kind == 1) return BrokerRig::unregistration(name);
            if (kind == 4) return BrokerRig::number(name, 1);
            return BrokerRig::wildcard("AppPattern=*,VarPattern=" + (name == "A" ? "*" : name), kind == 3);
        });
    });
}

/// Returns all that a client receives, with its input in pieces and ends of turns between them.
std::vector<Message> received(std::size_t share, const std::vector<Message>& demands, std::size_t piece) {
    BrokerRig rig(with_share(share));
    const auto id = rig.join("a");
    const Bytes bytes = wire::encode_packet(demands);
    std::vector<Message> all;
    const auto read = [&] {
        for (Message& message : rig.receive(id)) all.push_back(std::move(message));
    };
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        rig.send(id, ByteView(bytes).subspan(at, std::min(piece, bytes.size() - at)));
        if (at % 3 == 0) read();
    }
    do read();
    while (rig.broker.has_work());
    read();
    return all;
}

RC_GTEST_PROP(TurnProperty, WaitingChangesNothingOfWhatAClientReceives, ()) {
    const auto demands = *rc::gen::nonEmpty(rc::gen::container<std::vector<Message>>(demand()));
    const auto piece = *rc::gen::inRange<std::size_t>(1, 400);
    const auto share = *rc::gen::inRange<std::size_t>(1, 30);
    RC_ASSERT(received(share, demands, piece) == received(200'000, demands, SIZE_MAX));
}

}  // namespace
}  // namespace caribou::bus
