// The audit detects violations that are shown to it. bus_world_test.cpp shows that real brokers pass it.

#include "sim/bus_audit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wire/codec.hpp"

namespace caribou::sim {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using wire::DataType;
using wire::MessageType;
using wire::MessageView;

constexpr StreamNumber writer{1};
constexpr StreamNumber reader{2};

MessageView value(std::string_view aux, std::string_view key = "X") {
    return {.id = 3,
            .type = MessageType::notify,
            .source = "writer",
            .aux = aux,
            .key = key,
            .time = 1,
            .value = 7};
}

MessageView wildcard(MessageType type, std::string_view payload) {
    return {.type = type, .data_type = DataType::string, .key = "reader", .payload = payload};
}

struct Hearing {
    Hearing() {
        join(writer, "writer");
        join(reader, "reader");
    }
    void join(StreamNumber connection, std::string_view name, std::string_view mode = wire::asynchronous) {
        say(connection,
            {.type = MessageType::data, .data_type = DataType::string, .key = mode, .payload = name});
        tell(connection, {.type = MessageType::welcome});
        audit.on_packet_told(connection, 1);
    }
    void say(StreamNumber connection, const MessageView& message) { audit.on_said(connection, message, now); }
    void tell(StreamNumber connection, const MessageView& message) {
        audit.on_told(connection, message, now);
    }
    void register_variable(std::string_view key, double interval = 0) {
        say(reader, {.type = MessageType::register_, .source = "reader", .key = key, .value = interval});
    }

    Instant now{1s};
    BusAudit audit{"MOOSDB_t"};
};

TEST(BusAudit, IsContentWithWhatIsRight) {
    Hearing h;
    h.register_variable("X");
    h.say(writer, value("#1"));
    h.tell(reader, value("#1"));
    EXPECT_THAT(h.audit.violations(), IsEmpty());
    EXPECT_EQ(h.audit.latest("X"), 1u);
}

TEST(BusAudit, SeesAValueForTheWrongReader) {
    Hearing h;
    h.say(writer, value("#1"));
    h.tell(reader, value("#1"));
    EXPECT_THAT(h.audit.violations(), ElementsAre(HasSubstr("reader received X: value #1 is not owed")));
}

TEST(BusAudit, SeesAValueThatNobodyWrote) {
    Hearing h;
    h.register_variable("X");
    h.tell(reader, value("#9"));
    EXPECT_THAT(h.audit.violations(), ElementsAre(HasSubstr("#9 is not owed")));
}

TEST(BusAudit, SeesABrokenInterval) {
    Hearing h;
    h.register_variable("X", 0.5);
    h.say(writer, value("#1"));
    h.tell(reader, value("#1"));
    h.now += 400ms;
    h.say(writer, value("#2"));
    h.tell(reader, value("#2"));
    EXPECT_THAT(h.audit.violations(), ElementsAre(HasSubstr("earlier than the interval of 0.5 s")));
}

TEST(BusAudit, FollowsPatterns) {
    Hearing h;
    h.say(reader, wildcard(MessageType::wildcard_register, "AppPattern=wri*,VarPattern=X*,Interval=0"));
    h.say(writer, value("#1", "X1"));
    h.say(writer, value("#2", "Y1"));
    h.tell(reader, value("#1", "X1"));
    EXPECT_THAT(h.audit.violations(), IsEmpty());
    h.tell(reader, value("#2", "Y1"));
    EXPECT_EQ(h.audit.violations().size(), 1u);
    h.say(reader, wildcard(MessageType::wildcard_unregister, "AppPattern=wri*,VarPattern=X*,Interval=0"));
    h.say(writer, value("#3", "X1"));
    h.tell(reader, value("#3", "X1"));
    EXPECT_EQ(h.audit.violations().size(), 2u);
}

TEST(BusAudit, SeesTheBrokersOwnVariablesAtTheWrongReader) {
    Hearing h;
    const MessageView own{.type = MessageType::notify, .source = "MOOSDB_t", .key = "DB_TIME"};
    h.tell(reader, own);
    EXPECT_THAT(h.audit.violations(), ElementsAre(HasSubstr("DB_TIME, which it has never registered")));
    h.say(reader, wildcard(MessageType::wildcard_register, "AppPattern=*,VarPattern=DB_*,Interval=0"));
    h.tell(reader, own);
    EXPECT_EQ(h.audit.violations().size(), 1u);
}

TEST(BusAudit, SeesAnAnswerThatNobodyAskedFor) {
    Hearing h;
    h.tell(reader, {.id = wire::server_request_id, .type = MessageType::notify, .key = "VAR_SUMMARY"});
    EXPECT_THAT(h.audit.violations(), ElementsAre(HasSubstr("had not asked")));
}

TEST(BusAudit, SeesAValueThatArrivesTwice) {
    Hearing h;
    h.say(writer, value("#2"));
    h.say(writer, value("#2"));
    EXPECT_THAT(h.audit.violations(), ElementsAre(HasSubstr("arrived after #2")));
}

TEST(BusAudit, SeesAPacketTooManyInLockStep) {
    Hearing h;
    h.join(StreamNumber{3}, "lockstep", "");
    h.audit.on_packet_said(StreamNumber{3});
    h.audit.on_packet_told(StreamNumber{3}, 1);
    EXPECT_THAT(h.audit.violations(), IsEmpty());
    h.audit.on_packet_told(StreamNumber{3}, 1);
    EXPECT_THAT(h.audit.violations(), ElementsAre(HasSubstr("lockstep, which is synchronous")));
}

TEST(BusAudit, SeesANameRefusedForNoReason) {
    Hearing h;
    const StreamNumber second{3};
    const MessageView poison{.type = MessageType::poison, .data_type = DataType::string};
    h.say(second, {.type = MessageType::data, .key = wire::asynchronous, .payload = "reader"});
    h.audit.on_heard(reader, h.now);
    h.now += 1s;
    h.tell(second, poison);
    EXPECT_THAT(h.audit.violations(), IsEmpty()) << "the holder lives";
    h.now += 2s;
    h.tell(second, poison);
    EXPECT_THAT(h.audit.violations(), ElementsAre(HasSubstr("reader was refused")));
}

TEST(BusAudit, SeesAnEmptyPacket) {
    Hearing h;
    h.audit.on_packet_told(reader, 0);
    EXPECT_THAT(h.audit.violations(), ElementsAre(HasSubstr("empty packet")));
}

/// An exchange whose values the audit checks.
struct Kept {
    void write(const MessageView& message) {
        Bytes raw;
        wire::append_message(raw, message);
        ASSERT_TRUE(exchange.notify(nullptr, message, raw, {}));
    }
    bus::BrokerLimits limits;
    bus::Exchange exchange{"t", limits};
};

TEST(BusAudit, SeesAnOldValueKept) {
    Hearing h;
    Kept kept;
    h.say(writer, value("#1"));
    kept.write(value("#1"));
    h.audit.check_values(kept.exchange);
    EXPECT_THAT(h.audit.violations(), IsEmpty());
    h.say(writer, value("#2"));
    h.audit.check_values(kept.exchange);
    EXPECT_THAT(h.audit.violations(), ElementsAre("the broker keeps #1 of X; #2 arrived last"));
}

TEST(BusAudit, SeesAValueForgottenAndOneThatShouldBe) {
    Hearing h;
    Kept kept;
    h.say(writer, value("#1"));
    h.audit.check_values(kept.exchange);
    EXPECT_THAT(h.audit.violations(), ElementsAre("the broker does not know X"));
    kept.write(value("#1"));
    h.say(writer, {.id = wire::server_request_id, .type = MessageType::server_request, .key = "DB_CLEAR"});
    h.audit.check_values(kept.exchange);
    EXPECT_EQ(h.audit.violations().back(), "the broker has a value of X, but none arrived");
}

TEST(BusAudit, DoesNotCountAValueOfAnotherTypeAsWritten) {
    Hearing h;
    h.say(writer, value("#1"));
    MessageView other = value("#2");
    other.data_type = DataType::string;
    h.say(writer, other);
    EXPECT_EQ(h.audit.latest("X"), 1u);
    EXPECT_EQ(h.audit.place_of(2), std::nullopt);
}

/// A broker with one client that has registered X and does not read.
struct UnreadBroker {
    UnreadBroker() : broker({.community = "t"}, log, {}) {
        id = *broker.connect("test", {});
        broker.receive(id, wire::greeting(), {});
        send({.type = MessageType::data,
              .data_type = DataType::string,
              .key = wire::asynchronous,
              .payload = "reader"});
        send({.type = MessageType::register_, .key = "X", .value = 0});
    }
    void send(const MessageView& message) { broker.receive(id, wire::encode_packet(message), {}); }

    NullLog log;
    bus::Broker broker;
    bus::ConnectionId id;
};

TEST(BusAudit, SeesABacklogBeyondTheLimits) {
    Hearing h;
    UnreadBroker unread;
    for (int i = 0; i < 100; ++i) unread.send(value("#1"));
    h.audit.check_backlog(unread.broker, bus::BrokerLimits{}, 100);
    EXPECT_THAT(h.audit.violations(), IsEmpty());
    h.audit.check_backlog(unread.broker, {.backlog_collapse = 10, .backlog_max = 20, .backlog_total = 30},
                          100);
    EXPECT_THAT(h.audit.violations(),
                ElementsAre(HasSubstr("bytes wait for reader"), HasSubstr("unsent for reader"),
                            HasSubstr("unsent in all")));
}

TEST(BusAudit, SeesValuesLostInSilence) {
    Hearing h;
    UnreadBroker unread;
    std::array<ByteView, 8> pieces;
    const std::size_t count = unread.broker.gather(unread.id, pieces, {});
    ASSERT_GT(count, 0u);
    unread.broker.sent(unread.id, pieces[0].size(), {});
    h.register_variable("X");
    h.say(writer, value("#1"));
    h.say(writer, value("#2"));
    h.tell(reader, value("#2"));
    h.audit.check_losses(unread.broker);
    EXPECT_THAT(h.audit.violations(),
                ElementsAre(HasSubstr("1 values did not reach reader, but only 0 are counted")));
}

TEST(BusAudit, ReadsNumbers) {
    EXPECT_EQ(BusAudit::number_in("#12"), 12u);
    EXPECT_EQ(BusAudit::number_in("12"), std::nullopt);
    EXPECT_EQ(BusAudit::number_in("#12x"), std::nullopt);
    EXPECT_EQ(BusAudit::number_in(""), std::nullopt);
}

}  // namespace
}  // namespace caribou::sim
