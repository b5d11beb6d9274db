#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bus/client.hpp"
#include "bus/client_rig.hpp"

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using wire::MessageType;
// ---- the outbox ---------------------------------------------------------------------------------

TEST(ClientPosts, OneTurnIsOnePacketInOrder) {
    ClientRig rig;
    rig.connect();
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(rig.client.notify("X", i));
    rig.loop.run_ready();
    const Packet packet = rig.broker().packets().back();
    ASSERT_THAT(packet, SizeIs(100));
    for (int i = 0; i < 100; ++i) EXPECT_EQ(packet[static_cast<std::size_t>(i)].value, i);
    EXPECT_EQ(packet[99].id, 99);
    EXPECT_EQ(rig.client.pending(), 0u);
}

TEST(ClientPosts, CarriesForeignSourceAndCommunityForBridges) {
    ClientRig rig;
    rig.connect();
    ASSERT_TRUE(rig.client.notify("X", 1, {.source = "far_app", .community = "shore"}));
    rig.loop.run_ready();
    const Packet sent = rig.broker().messages(MessageType::notify);
    EXPECT_EQ(sent[0].source, "far_app");
    EXPECT_EQ(sent[0].community, "shore");
}

TEST(ClientPosts, RefusesWithTheLimitsNameWhenFull) {
    ClientRig rig({.outbox = {.messages = 2, .when_full = WhenFull::refuse}});
    ASSERT_TRUE(rig.client.notify("A", 1));
    ASSERT_TRUE(rig.client.notify("B", 1));
    const auto third = rig.client.notify("C", 1);
    ASSERT_FALSE(third);
    EXPECT_EQ(third.error().code, Code::limit_exceeded);
    EXPECT_THAT(third.error().message, HasSubstr("outbox.messages"));
    EXPECT_EQ(rig.client.stats().refused, 1u);
    int rooms = 0;
    rig.client.on_room([&] { ++rooms; });
    rig.connect();
    EXPECT_EQ(keys(rig.broker().messages(MessageType::notify)), (std::vector<std::string>{"A", "B"}));
    EXPECT_EQ(rooms, 1);
}

TEST(ClientPosts, SaysWhenTheOldestMadeRoom) {
    ClientRig rig({.outbox = {.messages = 2, .when_full = WhenFull::drop_oldest}});
    EXPECT_EQ(rig.client.notify("A", 1), Pushed::accepted);
    EXPECT_EQ(rig.client.notify("B", 1), Pushed::accepted);
    EXPECT_EQ(rig.client.notify("C", 1), Pushed::dropped_oldest);
    EXPECT_EQ(rig.client.stats().dropped_oldest, 1u);
    rig.connect();
    EXPECT_EQ(keys(rig.broker().messages(MessageType::notify)), (std::vector<std::string>{"B", "C"}));
}

TEST(ClientPosts, RefusesAMessageLargerThanTheOutbox) {
    ClientRig rig({.outbox = {.bytes = 100, .when_full = WhenFull::drop_oldest}});
    ASSERT_TRUE(rig.client.notify("A", 1));
    const auto huge = rig.client.notify("B", std::string(200, 'x'));
    ASSERT_FALSE(huge);
    EXPECT_THAT(huge.error().message, HasSubstr("outbox.bytes"));
    EXPECT_EQ(rig.client.pending(), 1u);
}

TEST(ClientPosts, RefusesAVariableWithoutName) {
    ClientRig rig;
    EXPECT_EQ(rig.client.notify("", 1).error().code, Code::invalid_argument);
    EXPECT_EQ(rig.client.register_variable("").error().code, Code::invalid_argument);
    EXPECT_EQ(rig.client.register_variable("A", -1s).error().code, Code::invalid_argument);
    EXPECT_EQ(rig.client.register_wildcard("*", "a,b").error().code, Code::invalid_argument);
}

TEST(ClientPosts, KeepsWhatWaitedThroughALoss) {
    ClientRig rig;
    rig.connect();
    rig.broker().end();
    rig.loop.run_ready();
    ASSERT_TRUE(rig.client.notify("A", 1));
    ASSERT_TRUE(rig.client.notify("B", 2));
    rig.welcome_next();
    EXPECT_EQ(keys(rig.broker().messages(MessageType::notify)), (std::vector<std::string>{"A", "B"}));
}

TEST(ClientPosts, DropsAndCountsWhatWaitedIfToldSo) {
    ClientRig rig({.on_loss = OnLoss::drop});
    rig.connect();
    ASSERT_TRUE(rig.client.notify("A", 1));
    rig.broker().end();
    rig.client.stop();
    EXPECT_EQ(rig.client.stats().dropped_on_loss, 1u);
    EXPECT_EQ(rig.client.pending(), 0u);
}

TEST(ClientPosts, DropsNothingBecauseAnAttemptFailed) {
    ClientRig rig({.on_loss = OnLoss::drop});
    ASSERT_TRUE(rig.client.start());
    ASSERT_TRUE(rig.client.notify("A", 1));
    rig.run(3s);  // no broker is listening
    EXPECT_EQ(rig.client.pending(), 1u);
    EXPECT_EQ(rig.client.stats().dropped_on_loss, 0u);
}

TEST(ClientPosts, SendsTheRestWhenASlowBrokerReadsAgain) {
    ClientRig rig({}, {.stream_buffer = 1000});
    rig.connect();
    rig.broker().set_reading(false);
    for (int i = 0; i < 200; ++i) ASSERT_TRUE(rig.client.notify("X", i));
    rig.loop.run_ready();
    EXPECT_GT(rig.client.pending(), 100u);
    rig.broker().set_reading(true);
    rig.loop.run_ready();
    EXPECT_EQ(rig.client.pending(), 0u);
    EXPECT_THAT(rig.broker().messages(MessageType::notify), SizeIs(200));
}

TEST(ClientPosts, FinishSendsWhatWaitsThenStops) {
    ClientRig rig;
    rig.listen();
    ASSERT_TRUE(rig.client.start());
    ASSERT_TRUE(rig.client.notify("A", 1));
    rig.client.finish(5s);
    rig.welcome_next();
    EXPECT_EQ(rig.client.state(), ClientState::stopped);
    EXPECT_EQ(keys(rig.broker().messages(MessageType::notify)), std::vector<std::string>{"A"});
}

TEST(ClientPosts, FinishGivesUpAtItsLimit) {
    ClientRig rig;
    ASSERT_TRUE(rig.client.start());
    ASSERT_TRUE(rig.client.notify("A", 1));
    rig.client.finish(2s);
    rig.run(1900ms);
    EXPECT_NE(rig.client.state(), ClientState::stopped);
    rig.run(200ms);
    EXPECT_EQ(rig.client.state(), ClientState::stopped);
    EXPECT_EQ(rig.client.pending(), 1u);
}

// ---- registrations ------------------------------------------------------------------------------

TEST(ClientRegistrations, ComeFirstOnEveryConnectionInTheirOrder) {
    ClientRig rig;
    ASSERT_TRUE(rig.client.register_variable("B"));
    ASSERT_TRUE(rig.client.register_wildcard("NAV_*", "*", 1s));
    ASSERT_TRUE(rig.client.register_variable("A", 500ms));
    ASSERT_TRUE(rig.client.notify("X", 1));
    for (int connection = 0; connection < 2; ++connection) {
        if (connection == 0)
            rig.connect();
        else
            rig.welcome_next();
        const Packet first = rig.broker().packets()[1];
        ASSERT_GE(first.size(), 4u);
        EXPECT_EQ(first[0].type, MessageType::timing);
        EXPECT_EQ(first[1].key, "B");
        EXPECT_EQ(first[2].payload, "AppPattern=*,VarPattern=NAV_*,Interval=1");
        EXPECT_EQ(first[3].key, "A");
        EXPECT_EQ(first[3].value, 0.5);
        rig.broker().end();
        rig.loop.run_ready();
    }
}

TEST(ClientRegistrations, AreSentOnceEvenIfRepeatedInTheConnectedHandler) {
    ClientRig rig;
    rig.client.on_connected([&] {
        EXPECT_TRUE(rig.client.register_variable("A"));
        EXPECT_TRUE(rig.client.register_variable("B"));
    });
    ASSERT_TRUE(rig.client.register_variable("A"));
    rig.connect();
    EXPECT_EQ(keys(rig.broker().messages(MessageType::register_)), (std::vector<std::string>{"A", "B"}));
}

TEST(ClientRegistrations, EndWithUnregister) {
    ClientRig rig;
    rig.connect();
    ASSERT_TRUE(rig.client.register_variable("A"));
    ASSERT_TRUE(rig.client.register_wildcard("N*", "*"));
    ASSERT_TRUE(rig.client.unregister_variable("A"));
    ASSERT_TRUE(rig.client.unregister_wildcard("N*", "*"));
    rig.loop.run_ready();
    EXPECT_THAT(rig.broker().messages(MessageType::unregister), SizeIs(1));
    EXPECT_THAT(rig.broker().messages(MessageType::wildcard_unregister), SizeIs(1));
    rig.broker().end();
    rig.loop.run_ready();
    rig.welcome_next();
    EXPECT_THAT(rig.broker().messages(MessageType::register_), IsEmpty());
    EXPECT_THAT(rig.broker().messages(MessageType::wildcard_register), IsEmpty());
}

TEST(ClientRegistrations, AreNeverDroppedForNotifications) {
    ClientRig rig({.outbox = {.messages = 3, .when_full = WhenFull::drop_oldest}});
    rig.connect();
    ASSERT_TRUE(rig.client.register_variable("A"));
    ASSERT_TRUE(rig.client.notify("X", 1));
    ASSERT_TRUE(rig.client.register_variable("B"));
    EXPECT_EQ(rig.client.notify("X", 2), Pushed::dropped_oldest);
    ASSERT_TRUE(rig.client.register_variable("C"));
    EXPECT_EQ(rig.client.notify("X", 3).error().code, Code::limit_exceeded);
    EXPECT_EQ(rig.client.register_variable("D").error().code, Code::limit_exceeded);
    rig.loop.run_ready();
    EXPECT_EQ(keys(rig.broker().packets().back()), (std::vector<std::string>{"A", "B", "C"}));
}

TEST(ClientRegistrations, HaveALimit) {
    ClientRig rig({.max_registrations = 1});
    ASSERT_TRUE(rig.client.register_variable("A"));
    EXPECT_EQ(rig.client.register_variable("B").error().code, Code::limit_exceeded);
    EXPECT_TRUE(rig.client.register_variable("A", 1s));
}

// ---- requests -----------------------------------------------------------------------------------

wire::Message answer(std::string_view key, std::string_view payload = "") {
    return {.id = wire::server_request_id,
            .type = MessageType::notify,
            .data_type = wire::DataType::string,
            .key = std::string(key),
            .payload = std::string(payload)};
}

TEST(ClientRequests, GoOneAfterAnotherAndAreNoMail) {
    ClientRig rig;
    rig.connect();
    std::vector<std::string> story;
    const auto note = [&](Result<Packet> got) {
        story.push_back(got ? got->front().key : std::string(to_string(got.error().code)));
    };
    ASSERT_TRUE(rig.client.server_request("VAR_SUMMARY", note));
    ASSERT_TRUE(rig.client.server_request("ALL", note));
    rig.loop.run_ready();
    EXPECT_THAT(rig.broker().messages(MessageType::server_request), SizeIs(1));
    rig.broker().send(Packet{ClientRig::number("MAIL", 1), answer("VAR_SUMMARY", "A,B")});
    rig.loop.run_ready();
    EXPECT_THAT(rig.broker().messages(MessageType::server_request), SizeIs(2));
    rig.broker().send(Packet{answer("B"), answer("A")});
    rig.loop.run_ready();
    EXPECT_THAT(story, ElementsAre("VAR_SUMMARY", "B"));
    EXPECT_EQ(keys(rig.client.fetch()), std::vector<std::string>{"MAIL"});
}

TEST(ClientRequests, FailWithTimeLossAndWithoutConnection) {
    ClientRig rig;
    EXPECT_EQ(rig.client.server_request("ALL", [](auto) {}).error().code, Code::wrong_state);
    rig.connect();
    std::vector<Code> codes;
    const auto note = [&](Result<Packet> got) { codes.push_back(got.error().code); };
    ASSERT_TRUE(rig.client.server_request("NONSENSE", note, 1s));
    rig.run(1s);
    EXPECT_THAT(codes, ElementsAre(Code::timed_out));
    ASSERT_TRUE(rig.client.server_request("VAR_SUMMARY", note));
    rig.loop.run_ready();
    rig.broker().send(answer("A"));  // too late, and not an answer to this request
    rig.loop.run_ready();
    EXPECT_EQ(rig.client.stats().ignored, 1u);
    rig.broker().end();
    rig.loop.run_ready();
    EXPECT_THAT(codes, ElementsAre(Code::timed_out, Code::unreachable));
}

TEST(ClientRequests, AreLimitedInNumberAndInTheSizeOfTheAnswer) {
    ClientRig rig({.inbox = {.messages = 2}, .max_requests = 1});
    rig.connect();
    Result<Packet> got;
    ASSERT_TRUE(rig.client.server_request("ALL", [&](Result<Packet> all) { got = std::move(all); }));
    EXPECT_EQ(rig.client.server_request("ALL", [](auto) {}).error().code, Code::limit_exceeded);
    rig.broker().send(Packet{answer("A"), answer("B"), answer("C")});
    rig.loop.run_ready();
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().code, Code::limit_exceeded);
}

// ---- mail ---------------------------------------------------------------------------------------

TEST(ClientMail, GoesToHandlerAndQueuesOrElseToTheGeneralQueue) {
    ClientRig rig;
    std::vector<double> heard;
    int queued = 0;
    rig.client.on_mail("A", [&](const wire::MessageView& m) { heard.push_back(m.value); });
    rig.client.on_queued([&] { ++queued; });
    MailQueue& one = rig.client.queue("B", "one");
    MailQueue& two = rig.client.queue("B", "two");
    rig.connect();
    rig.broker().send(Packet{ClientRig::number("A", 1), ClientRig::number("B", 2), ClientRig::number("C", 3),
                             ClientRig::number("B", 4)});
    rig.loop.run_ready();
    EXPECT_THAT(heard, ElementsAre(1));
    EXPECT_THAT(values(one.fetch()), ElementsAre(2, 4));
    EXPECT_THAT(values(two.fetch()), ElementsAre(2, 4));
    EXPECT_EQ(keys(rig.client.fetch()), std::vector<std::string>{"C"});
    EXPECT_EQ(queued, 1);
    rig.client.on_other_mail([&](const wire::MessageView& m) { heard.push_back(m.value); });
    rig.broker().send(ClientRig::number("D", 5));
    rig.loop.run_ready();
    EXPECT_THAT(heard, ElementsAre(1, 5));
    EXPECT_THAT(rig.client.fetch(), IsEmpty());
}

TEST(ClientMail, IsCountedWhenAQueueCannotKeepIt) {
    ClientRig rig({.inbox = {.messages = 2}});
    std::vector<std::string> lost;
    rig.client.on_mail_lost([&](std::string_view key) { lost.emplace_back(key); });
    rig.connect();
    rig.broker().send(
        Packet{ClientRig::number("A", 1), ClientRig::number("A", 2), ClientRig::number("A", 3)});
    rig.loop.run_ready();
    EXPECT_THAT(lost, ElementsAre("A"));
    EXPECT_EQ(rig.client.stats().mail_lost, 1u);
    EXPECT_EQ(rig.client.general_queue().lost(), 1u);
    EXPECT_THAT(values(rig.client.fetch()), ElementsAre(2, 3));
}

TEST(ClientMail, HandlersMayDoAnything) {
    ClientRig rig;
    rig.connect();
    int calls = 0;
    rig.client.on_mail("A", [&, keep = std::string(100, 'k')](const wire::MessageView&) {
        ++calls;
        rig.client.on_mail("A", {});
        rig.client.stop();
        EXPECT_TRUE(rig.client.start());
        EXPECT_EQ(keep.size(), 100u);  // still alive
    });
    rig.broker().send(Packet{ClientRig::number("A", 1), ClientRig::number("A", 2)});
    rig.loop.run_ready();
    EXPECT_EQ(calls, 1);
    EXPECT_THAT(rig.client.fetch(), IsEmpty());  // later messages belonged to the stopped connection
    rig.welcome_next();
    EXPECT_TRUE(rig.client.connected());
}

TEST(ClientMail, LongMessagesComeInPieces) {
    ClientRig rig({}, {.split_reads = true, .stream_buffer = 64 * 1024 * 1024});
    rig.connect();
    wire::Message large = ClientRig::number("L", 1);
    large.payload = std::string(1'000'000, 'x');
    rig.broker().send(Packet{ClientRig::number("A", 1), large, ClientRig::number("B", 2)});
    rig.loop.run_ready();
    const Packet mail = rig.client.fetch();
    ASSERT_THAT(mail, SizeIs(3));
    EXPECT_EQ(mail[1].payload, large.payload);
}

}  // namespace
}  // namespace caribou::bus
