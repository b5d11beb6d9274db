// TIMING packets, by which clients measure clock skew.

#include <gtest/gtest.h>

#include "bus/broker_rig.hpp"

namespace caribou::bus {
namespace {

TEST(Broker, AnswersEachOfSeveralTimingPacketsThatCameAtOnce) {
    BrokerRig rig;
    const ConnectionId id = rig.join("timer");
    Bytes five;
    for (int i = 1; i <= 5; ++i) append(five, wire::encode_packet(wire::view(BrokerRig::timing(995 + i))));
    rig.send(id, five);
    const auto packets = rig.packets(id);
    ASSERT_EQ(packets.size(), 5u);
    for (int i = 1; i <= 5; ++i) {
        const auto& packet = packets[static_cast<std::size_t>(i - 1)];
        ASSERT_EQ(packet.size(), 1u);
        EXPECT_EQ(packet[0].type, wire::MessageType::timing);
        EXPECT_EQ(packet[0].time, 995 + i);
    }
}

}  // namespace
}  // namespace caribou::bus
