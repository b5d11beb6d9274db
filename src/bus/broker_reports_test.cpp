// The broker's reports, compared with captured bytes: existing tools parse these texts.

#include <algorithm>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bus/broker_rig.hpp"
#include "bus/summaries.hpp"

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using wire::Message;
Message named(const std::vector<Message>& all, std::string_view key) {
    for (const Message& m : all)
        if (m.key == key) return m;
    ADD_FAILURE() << "no " << key;
    return {};
}

TEST(Reports, AppearEveryTwoSecondsWithoutAnyTraffic) {
    BrokerRig rig;
    const auto id = rig.join("vec");
    for (const auto* name : {"DB_TIME", "DB_UPTIME", "DB_CLIENTS", "DB_QOS", "DB_RWSUMMARY", "DB_VARSUMMARY"})
        rig.send(id, BrokerRig::registration(name));
    EXPECT_THAT(rig.receive(id), IsEmpty());
    rig.advance(1900ms);
    EXPECT_THAT(rig.receive(id), IsEmpty());
    rig.advance(100ms);
    const auto all = rig.receive(id);
    ASSERT_THAT(all, SizeIs(6));
    EXPECT_EQ(named(all, "DB_TIME").value, 1002);
    EXPECT_EQ(named(all, "DB_UPTIME").value, 2);
    EXPECT_EQ(named(all, "DB_CLIENTS").payload, "vec,");
    EXPECT_EQ(named(all, "DB_QOS").payload, "vec=0:0:1e+09:0,");
    EXPECT_EQ(named(all, "DB_TIME").source, "MOOSDB_vecs");
    EXPECT_EQ(named(all, "DB_TIME").id, -1);
    rig.send(id, BrokerRig::timing(1));
    rig.advance(2s);
    EXPECT_EQ(rig.receive(id).size(), 7u);  // plus the echo
}

TEST(Reports, ListClientsFromTheNewestOn) {
    BrokerRig rig;
    rig.join("a");
    rig.join("b");
    rig.advance(2s);
    EXPECT_EQ(rig.broker.exchange().find("DB_CLIENTS")->value().payload, "b,a,");
}

TEST(Reports, TellWhoReadsAndWritesWhat) {
    BrokerRig rig;
    const auto a = rig.join("a");
    const auto b = rig.join("b");
    rig.send(a, {BrokerRig::registration("Y"), BrokerRig::registration("X"), BrokerRig::number("P", 1, "a")});
    rig.send(b, BrokerRig::number("X", 1, "b"));
    rig.advance(2s);
    EXPECT_EQ(rig.broker.exchange().find("DB_RWSUMMARY")->value().payload, "b=&X,a=X:Y&P");
    rig.receive(a);
    rig.send(a, BrokerRig::request("PROC_SUMMARY"));
    const auto answer = rig.receive(a);
    ASSERT_THAT(answer, SizeIs(2));
    EXPECT_EQ(answer[0].payload, "b:SUBSCRIBED=,PUBLISHED=,X");
    EXPECT_EQ(answer[1].payload, "a:SUBSCRIBED=,X,Y,PUBLISHED=,P");
    EXPECT_EQ(answer[1].id, wire::server_request_id);
    EXPECT_EQ(answer[1].time, 2);
}

TEST(Reports, DrawTheTableAsTheCapturedOneIsDrawn) {
    // Lines of the captured DB_VARSUMMARY (24_timing_plus_server_reply_ALL_db2c).
    Variable never("NEVER_WRITTEN");
    Variable number("VEC_A");
    Variable binary("VEC_B");
    Variable text("VEC_S");
    const auto write = [](Variable& v, wire::MessageView m, double written) {
        m.key = v.name;
        m.source = "vec";
        v.type = m.data_type;
        v.written = written;
        v.latest = std::make_shared<Bytes>();
        wire::append_message(*v.latest, m);
    };
    constexpr double evening = 1794710096.0239;  // 02:34:56
    write(number, {.value = 7}, evening);
    write(binary, {.data_type = wire::DataType::binary, .payload = "12345"}, evening - 0.4);
    write(text, {.data_type = wire::DataType::string, .payload = "hello moos"}, evening - 0.8);
    const std::vector<const Variable*> all = {&never, &number, &binary, &text};
    EXPECT_EQ(variable_table(all),
              "NEVER_WRITTEN        23:59:59.000         (write pending)      0.0 Hz ~  \n"
              "VEC_A                02:34:56.023         vec                  0.0 Hz D  7.0\n"
              "VEC_B                02:34:55.623         vec                  0.0 Hz B  *binary* 5    B\n"
              "VEC_S                02:34:55.223         vec                  0.0 Hz S  hello moos\n");
    write(text, {.data_type = wire::DataType::string, .payload = "vec=0.174046:0.531912:0.152111"}, evening);
    EXPECT_THAT(variable_table(all), HasSubstr("S  vec=0.174046:0.531912:...\n"));
}

TEST(Reports, NameAllVariables) {
    BrokerRig rig;
    const auto id = rig.join("vec");
    for (const auto* name : {"VEC_S", "NEVER_WRITTEN", "VEC_A", "VEC_D", "VEC_B"})
        rig.send(id, BrokerRig::registration(name));
    rig.send(id, BrokerRig::request("VAR_SUMMARY"));
    const auto answer = rig.receive(id);
    ASSERT_THAT(answer, SizeIs(1));
    // As in 20_server_reply_VAR_SUMMARY_db2c.
    EXPECT_EQ(answer[0],
              (Message{.id = -2,
                       .type = wire::MessageType::notify,
                       .data_type = wire::DataType::string,
                       .source = "MOOSDB_vecs",
                       .key = "VAR_SUMMARY",
                       .time = 1000,
                       .payload = "DB_CLIENTS,DB_EVENT,DB_QOS,DB_RWSUMMARY,DB_TIME,DB_UPTIME,DB_VARSUMMARY,"
                                  "NEVER_WRITTEN,VEC_A,VEC_B,VEC_D,VEC_S"}));
}

TEST(Reports, BringAllVariablesInReverseOrder) {
    BrokerRig rig;
    const auto id = rig.join("vec");
    rig.advance(1s);
    rig.send(id, {BrokerRig::number("B", 4.5, "vec"), BrokerRig::registration("A")});
    rig.receive(id);
    rig.send(id, BrokerRig::request("ALL"));
    const auto all = rig.receive(id);
    ASSERT_THAT(all, SizeIs(9));
    EXPECT_EQ(all[0].key, "DB_VARSUMMARY");
    EXPECT_EQ(all[7].key, "B");
    EXPECT_EQ(all[7], (Message{.id = -2,
                               .type = wire::MessageType::notify,
                               .source = "vec",
                               .community = "vecs",
                               .key = "B",
                               .time = 1,
                               .value = 4.5,
                               .value2 = 0}));
    EXPECT_EQ(all[8].key, "A");
    EXPECT_EQ(all[8].data_type, wire::DataType::none);
    EXPECT_EQ(all[8].time, -1);
}

TEST(Reports, BringValuesThatAreOlderThanTheBroker) {
    BrokerRig rig;
    Bytes kept;
    wire::append_message(kept, wire::view(BrokerRig::number("B", 4.5, "vec")));
    ASSERT_TRUE(rig.broker.exchange().restore(kept, 990, 7));
    const auto id = rig.join("vec");
    rig.send(id, BrokerRig::request("ALL_SINCE=0"));
    const auto changed = rig.receive(id);
    ASSERT_THAT(changed, Contains(Field(&Message::key, "B")));
    EXPECT_EQ(std::ranges::find(changed, "B", &Message::key)->time, -10);
    rig.send(id, BrokerRig::request("ALL"));
    const auto all = rig.receive(id);
    ASSERT_THAT(all, Contains(Field(&Message::key, "B")));
    EXPECT_EQ(std::ranges::find(all, "B", &Message::key)->time, 0) << "-1 would mean never written";
}

TEST(Reports, AnswerOneRequestOfEachClientPerTurn) {
    BrokerRig rig;
    const auto id = rig.join("vec");
    const auto other = rig.join("other");
    rig.send(id, std::vector<Message>(4, BrokerRig::request("VAR_SUMMARY")));
    rig.send(other, BrokerRig::request("VAR_SUMMARY"));
    EXPECT_THAT(rig.receive(id), SizeIs(2)) << "one at once, one at the end of the turn";
    EXPECT_TRUE(rig.broker.has_work());
    EXPECT_THAT(rig.receive(id), SizeIs(1));
    EXPECT_THAT(rig.receive(id), SizeIs(1));
    EXPECT_FALSE(rig.broker.has_work());
    EXPECT_THAT(rig.receive(other), SizeIs(1));
}

TEST(Reports, AnswerNoFurtherRequestsOfAClientThatDoesNotRead) {
    BrokerRig rig({.community = "vecs", .limits = {.request_backlog = 50}});
    const auto id = rig.join("vec");
    for (int i = 0; i < 20; ++i) rig.send(id, BrokerRig::request("ALL"));
    std::vector<ConnectionId> ready;
    for (int i = 0; i < 20; ++i) rig.broker.take_ready(ready, rig.at);
    EXPECT_FALSE(rig.broker.has_work());
    EXPECT_THAT(rig.receive(id), SizeIs(7)) << "one answer";
    EXPECT_TRUE(rig.broker.has_work());
}

TEST(Reports, DisconnectAClientWithTooManyRequests) {
    BrokerRig rig({.community = "vecs", .limits = {.max_requests_waiting = 3}});
    const auto id = rig.join("vec");
    rig.send(id, std::vector<Message>(6, BrokerRig::request("ALL")));
    const auto closed = rig.broker.take_closed();
    ASSERT_THAT(closed, SizeIs(1));
    EXPECT_THAT(closed[0].reason, HasSubstr("max_requests_waiting"));
    EXPECT_FALSE(rig.broker.has_work());
}

TEST(Reports, AnswerNothingToAnUnknownRequest) {
    BrokerRig rig;
    const auto id = rig.join("vec");
    rig.send(id, BrokerRig::request("WHO_AM_I"));
    EXPECT_THAT(rig.receive(id), IsEmpty());
}

TEST(Clear, ForgetsValuesButNotSubscriptionsAndRestartsTheUptime) {
    BrokerRig rig;
    const auto id = rig.join("vec");
    rig.send(id, {BrokerRig::number("X", 1, "vec"), BrokerRig::registration("X")});
    rig.advance(2500ms);
    rig.send(id, {BrokerRig::number("X", 2, "vec"), BrokerRig::request("DB_CLEAR")});
    EXPECT_THAT(rig.receive(id), IsEmpty());  // mail that was held back is discarded, too
    rig.send(id, BrokerRig::text("X", "a new type", "vec"));
    EXPECT_EQ(rig.receive(id).at(0).payload, "a new type");
    rig.advance(1500ms);
    EXPECT_NEAR(rig.broker.exchange().find("DB_UPTIME")->value().value, 1.5, 0.01);
}

TEST(WriteRate, FollowsTheWritesAndForgetsAfterAPause) {
    WriteRate rate;
    Instant now{};
    for (int i = 0; i < 100; ++i) rate.on_write(now += 100ms);
    EXPECT_NEAR(rate.hertz(), 10, 0.1);
    rate.on_write(now += 11s);
    EXPECT_EQ(rate.hertz(), 0);
}

}  // namespace
}  // namespace caribou::bus
