#include "bus/audit.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "bus/broker_rig.hpp"
#include "loop/memory_network.hpp"
#include "loop/virtual_loop.hpp"

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;
using testing::ContainsRegex;
using testing::HasSubstr;

TEST(Audit, CountsWhatEachClientDidASecond) {
    BrokerRig rig;
    const ConnectionId id = rig.join("alice");
    AuditTable table;
    std::ignore = table.next(rig.broker.clients(), 1);
    for (int i = 0; i < 10; ++i) rig.send(id, BrokerRig::number("X", i));
    const std::string text = table.next(rig.broker.clients(), 2);
    EXPECT_THAT(text, HasSubstr("msgs in"));
    EXPECT_THAT(text, ContainsRegex("alice +5 +0 +5 +0"));
}

TEST(Audit, ReachesWhoeverListensInDatagramsOfAKibibyte) {
    VirtualLoop loop;
    MemoryNetwork network(loop);
    BrokerRig rig;
    for (int i = 0; i < 40; ++i) rig.join("client_with_a_long_name_" + std::to_string(i));
    std::vector<std::string> heard;
    std::unique_ptr<Datagram> ear;
    ear = *network.bind(Address::ip("127.0.0.1", 0), [&] {
        Bytes room(4096);
        const auto received = ear->receive(room);
        if (received && *received) heard.emplace_back(text_of(ByteView(room).first((*received)->size)));
    });
    const auto audit = Audit::start(loop, network, rig.broker, ear->address().port);
    ASSERT_TRUE(audit);
    loop.advance(1500ms);
    std::string all;
    for (const std::string& packet : heard) {
        EXPECT_LE(packet.size(), Audit::max_datagram);
        EXPECT_TRUE(packet.ends_with('\n'));
        all += packet;
    }
    EXPECT_GT(heard.size(), 3u);
    EXPECT_THAT(all, HasSubstr("client_with_a_long_name_39"));
}

RC_GTEST_PROP(Audit, CutsTextsWithoutLosingAByte, (const std::string& text, std::uint8_t size)) {
    std::string joined;
    for (const auto piece : cut_at_lines(text, size + 1u)) {
        RC_ASSERT(!piece.empty() && piece.size() <= size + 1u);
        joined += piece;
    }
    RC_ASSERT(joined == text);
}

}  // namespace
}  // namespace caribou::bus
