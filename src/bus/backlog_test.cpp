// A client that does not read: its memory use, which messages it loses, and when it is disconnected.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "bus/broker_rig.hpp"

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;
using testing::SizeIs;
BrokerOptions small_limits() {
    return {.community = "vecs",
            .limits = {.backlog_collapse = 10'000, .backlog_max = 40'000, .backlog_total = 100'000}};
}

TEST(Backlog, CollapsesToTheNewestValueOfEachVariable) {
    BrokerRig rig(small_limits());
    const auto reader = rig.join("reader");
    const auto writer = rig.join("writer");
    rig.send(reader, {BrokerRig::registration("A"), BrokerRig::registration("B")});
    for (int i = 0; i < 10'000; ++i) rig.send(writer, BrokerRig::number(i % 10 ? "A" : "B", i, "writer"));
    EXPECT_LE(rig.broker.backlog(), 10'000u + 100u);
    const Traffic traffic = rig.broker.find_client("reader")->traffic;
    EXPECT_GT(traffic.collapsed, 9'000u);
    EXPECT_EQ(traffic.dropped, 0u);
    const auto got = rig.receive(reader);
    EXPECT_EQ(got.size() + traffic.collapsed, 10'000u);
    EXPECT_EQ(got.back().value, 9'999);
    double newest_b = 0;
    for (const auto& m : got)
        if (m.key == "B") newest_b = m.value;
    EXPECT_EQ(newest_b, 9'990);
}

TEST(Backlog, LetsTheOldestGoWhenThereAreTooManyVariables) {
    BrokerRig rig(small_limits());
    const auto reader = rig.join("reader");
    const auto writer = rig.join("writer");
    rig.send(reader, BrokerRig::wildcard("AppPattern=*,VarPattern=V*"));
    for (int i = 0; i < 2'000; ++i) rig.send(writer, BrokerRig::number("V" + std::to_string(i), i, "writer"));
    EXPECT_LE(rig.broker.backlog(), 40'000u + 100u);
    const Traffic traffic = rig.broker.find_client("reader")->traffic;
    EXPECT_GT(traffic.dropped, 0u);
    const auto got = rig.receive(reader);
    EXPECT_EQ(got.size() + traffic.dropped, 2'000u);
    EXPECT_EQ(got.back().value, 1'999);
}

TEST(Backlog, CutsWhoHasNotReadForTheStallLimitWithAReasonThatOthersSee) {
    BrokerRig rig(small_limits());
    const auto stuck = rig.join("stuck");
    const auto writer = rig.join("writer");
    rig.send(stuck, BrokerRig::registration("A"));
    rig.send(writer, BrokerRig::registration("DB_NOTICE"));
    for (int second = 0; second < 11; ++second) {
        for (int i = 0; i < 300; ++i) rig.send(writer, BrokerRig::number("A", i, "writer"));
        rig.send(stuck, BrokerRig::timing(1));  // alive, but not reading
        rig.advance(1s);
    }
    ASSERT_THAT(rig.broker.take_closed(), SizeIs(1));
    const auto notices = rig.receive(writer);
    ASSERT_THAT(notices, SizeIs(1));
    EXPECT_THAT(notices[0].payload, testing::StartsWith("cut=stuck,reason=it has not read for 10 s"));
    EXPECT_EQ(rig.broker.backlog(), 0u);
}

TEST(Backlog, DoesNotCutWhoReadsSlowly) {
    BrokerRig rig(small_limits());
    const auto slow = rig.join("slow");
    const auto writer = rig.join("writer");
    rig.send(slow, BrokerRig::registration("A"));
    for (int second = 0; second < 30; ++second) {
        for (int i = 0; i < 300; ++i) rig.send(writer, BrokerRig::number("A", i, "writer"));
        rig.send(slow, BrokerRig::timing(1));
        rig.raw(slow, 100);
        rig.advance(1s);
    }
    EXPECT_THAT(rig.broker.take_closed(), IsEmpty());
    EXPECT_EQ(rig.broker.client_count(), 2u);
}

TEST(Backlog, OfAllTogetherStaysWithinItsLimit) {
    BrokerRig rig(small_limits());
    const auto writer = rig.join("writer");
    for (int i = 0; i < 20; ++i)
        rig.send(rig.join("reader" + std::to_string(i)), BrokerRig::wildcard("AppPattern=*,VarPattern=V*"));
    for (int i = 0; i < 1'000; ++i) rig.send(writer, BrokerRig::number("V" + std::to_string(i), i, "writer"));
    // Each client may hold its share, plus one message before the limit is checked.
    EXPECT_LE(rig.broker.backlog(), 100'000u + 20u * 100u);
}

TEST(Backlog, TakesAMessageThatIsLargerThanTheLimitAlone) {
    BrokerRig rig(small_limits());
    const auto reader = rig.join("reader");
    rig.send(reader, BrokerRig::registration("BIG"));
    const std::string big(90'000, 'x');
    for (int i = 0; i < 5; ++i) rig.send(reader, BrokerRig::text("BIG", big, "reader"));
    const auto got = rig.receive(reader);
    ASSERT_THAT(got, SizeIs(1));
    EXPECT_EQ(got[0].payload, big);
}

RC_GTEST_PROP(Backlog, AlwaysBringsTheNewestValueOfAllThatFits, ()) {
    BrokerRig rig(small_limits());
    const auto reader = rig.join("reader");
    const auto writer = rig.join("writer");
    rig.send(reader, BrokerRig::wildcard("AppPattern=*,VarPattern=V*"));
    std::map<std::string, double> written;
    std::map<std::string, double> seen;
    const auto take = [&](std::size_t most) {
        const Bytes bytes = rig.raw(reader, most);
        return bytes.size();
    };
    const int rounds = *rc::gen::inRange(1, 200);
    for (int i = 0; i < rounds; ++i) {
        const std::string name = "V" + std::to_string(*rc::gen::inRange(0, 20));
        rig.send(writer, BrokerRig::number(name, i, "writer"));
        written[name] = i;
    }
    RC_ASSERT(rig.broker.backlog() <= 100'000u);
    for (const auto& m : rig.receive(reader)) {
        RC_ASSERT(!seen.contains(m.key) || seen[m.key] < m.value);
        seen[m.key] = m.value;
    }
    RC_ASSERT(seen == written);
    RC_ASSERT(take(100) == 0u);
}

}  // namespace
}  // namespace caribou::bus
