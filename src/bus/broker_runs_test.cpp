// Values of one variable that arrive together are delivered together. No client can observe a difference.

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "bus/broker_rig.hpp"

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::SizeIs;
using wire::Message;

/// A broker with subscribers of each kind, and a writer.
class RunHouse {
public:
    explicit RunHouse(std::size_t largest) : largest_(largest) {
        for (const auto* key : {"A", "B"}) rig.send(all_, BrokerRig::registration(key));
        rig.send(paced_, BrokerRig::registration("A", 1.5));
        rig.send(wild_, BrokerRig::wildcard("AppPattern=*,VarPattern=*"));
        rig.send(writer_, BrokerRig::registration("B"));
        receive();
    }

    /// Passes the bytes in pieces of at most `largest`.
    void write(const std::vector<Message>& messages, std::size_t per_packet) {
        Bytes stream;
        for (std::size_t i = 0; i < messages.size(); i += per_packet)
            append(stream, wire::encode_packet(
                               std::span(messages).subspan(i, std::min(per_packet, messages.size() - i))));
        for (ByteView rest = stream; !rest.empty();) {
            const ByteView piece = rest.first(std::min(rest.size(), largest_));
            rig.send(writer_, piece);
            rest = rest.subspan(piece.size());
        }
    }
    /// Returns what each subscriber has received.
    std::vector<std::vector<Message>> receive() {
        std::vector<std::vector<Message>> seen;
        for (const auto id : {all_, paced_, wild_, writer_}) seen.push_back(rig.receive(id));
        return seen;
    }
    /// Returns latest value and number of writes of each variable, and the traffic of the writer.
    std::vector<std::string> state() const {
        std::vector<std::string> all;
        for (const Variable* v : rig.broker.exchange().sorted())
            if (v->is_written() && !v->name.starts_with("DB_"))
                all.push_back(v->name + " " + std::string(text_of(*v->latest)) + " " +
                              std::to_string(v->writes) + " " + std::to_string(v->written) + " " +
                              std::string(v->last_writer->name()));
        const Traffic& traffic = rig.broker.find_client("writer")->traffic;
        all.push_back(std::to_string(traffic.messages_in) + " " + std::to_string(traffic.packets_in) + " " +
                      std::to_string(traffic.refused));
        return all;
    }

    BrokerRig rig;

private:
    std::size_t largest_;
    ConnectionId all_ = rig.join("all");
    ConnectionId paced_ = rig.join("paced");
    ConnectionId wild_ = rig.join("wild");
    ConnectionId writer_ = rig.join("writer");
};

Message any_run_message() {
    const auto size = *rc::gen::element<std::size_t>(0, 1, 50, 3'000, 5'000);
    Message m = *rc::gen::arbitrary<bool>() ? BrokerRig::text("A", std::string(size, 'x'), "writer")
                                            : BrokerRig::number("B", *rc::gen::inRange(0, 100));
    if (*rc::gen::inRange(0, 10) == 0) m.key = *rc::gen::element<std::string>("A", "B", "C");
    if (*rc::gen::inRange(0, 10) == 0) m.aux = "aux";
    if (*rc::gen::inRange(0, 10) == 0) m.community = "theirs";
    if (*rc::gen::inRange(0, 10) == 0) m.source = "another";
    m.id = *rc::gen::inRange(0, 100);
    return m;
}

RC_GTEST_PROP(Runs, MakeNoDifference, ()) {
    RunHouse together(SIZE_MAX);
    RunHouse bytewise(*rc::gen::inRange<std::size_t>(1, 100));
    for (int turn = *rc::gen::inRange(1, 5); turn > 0; --turn) {
        std::vector<Message> messages;
        for (int runs = *rc::gen::inRange(1, 10); runs > 0; --runs) {
            const Message m = any_run_message();
            messages.insert(messages.end(), *rc::gen::element<std::size_t>(1, 2, 100), m);
        }
        const auto per_packet = *rc::gen::inRange<std::size_t>(1, 20);
        for (RunHouse* house : {&together, &bytewise}) {
            house->write(messages, per_packet);
            if (turn % 2 == 0) house->rig.advance(1s);
        }
        RC_ASSERT(together.receive() == bytewise.receive());
        RC_ASSERT(together.state() == bytewise.state());
    }
    for (RunHouse* house : {&together, &bytewise}) house->rig.advance(2s);
    RC_ASSERT(together.receive() == bytewise.receive());
}

TEST(Runs, StayInOrderWithAnswersAndOtherVariables) {
    BrokerRig rig;
    const auto id = rig.join("both");
    rig.send(id, {BrokerRig::registration("A"), BrokerRig::registration("B"), BrokerRig::number("A", 0)});
    rig.receive(id);
    rig.send(id, {BrokerRig::number("A", 1), BrokerRig::number("A", 2), BrokerRig::request("VAR_SUMMARY"),
                  BrokerRig::number("A", 3), BrokerRig::number("B", 4), BrokerRig::number("A", 5)});
    std::vector<std::string> seen;
    for (const auto& m : rig.receive(id)) seen.push_back(m.key + std::to_string(static_cast<int>(m.value)));
    EXPECT_THAT(seen, ElementsAre("A1", "A2", "VAR_SUMMARY-1", "A3", "B4", "A5"));
}

TEST(Runs, EndBeforeASubscriptionInTheSamePacket) {
    BrokerRig rig;
    const auto id = rig.join("both");
    rig.send(id, BrokerRig::number("A", 0));
    rig.send(id, {BrokerRig::number("A", 1), BrokerRig::number("A", 2), BrokerRig::registration("A"),
                  BrokerRig::number("A", 3), BrokerRig::unregistration("A"), BrokerRig::number("A", 4)});
    std::vector<double> seen;
    for (const auto& m : rig.receive(id)) seen.push_back(m.value);
    EXPECT_THAT(seen, ElementsAre(2, 3));
}

TEST(Runs, AreThinnedOutLikeSingleMessages) {
    BrokerRig rig({.limits = {.backlog_collapse = 10'000, .backlog_max = 40'000, .backlog_total = 100'000}});
    const auto reader = rig.join("reader");
    const auto writer = rig.join("writer");
    rig.send(reader, BrokerRig::registration("A"));
    rig.send(writer, BrokerRig::number("A", 0));
    std::vector<Message> messages;
    for (int i = 1; i <= 10'000; ++i) messages.push_back(BrokerRig::number("A", i));
    rig.send(writer, messages);
    EXPECT_LE(rig.broker.backlog(), 10'000u + RunWriter::block_size);
    const Traffic traffic = rig.broker.find_client("reader")->traffic;
    const auto got = rig.receive(reader);
    EXPECT_EQ(got.size() + traffic.collapsed, 10'001u);
    EXPECT_EQ(got.back().value, 10'000);
}

}  // namespace
}  // namespace caribou::bus
