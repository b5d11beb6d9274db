#include "bus/broker.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bus/broker_rig.hpp"
#include "wire/captured.hpp"

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using wire::DataType;
using wire::Message;
using wire::MessageType;
std::vector<std::string> keys(const std::vector<Message>& messages) {
    std::vector<std::string> all;
    for (const Message& m : messages) all.push_back(m.key);
    return all;
}

std::vector<double> values(const std::vector<Message>& messages) {
    std::vector<double> all;
    for (const Message& m : messages) all.push_back(m.value);
    return all;
}

Message without_times(Message m) {
    m.time = m.value = m.value2 = 0;
    return m;
}

Message golden_message(std::string_view name) {
    const Bytes bytes = wire::captured(name);
    return wire::own(*wire::decode_message(ByteView(bytes).subspan(wire::packet_header_size)));
}

// ---- hand-shake ----------------------------------------------------------------------------------

TEST(Handshake, WelcomesWithSkewHostAndCommunity) {
    BrokerRig rig;
    const auto id = rig.accept();
    rig.send(id, wire::greeting());
    rig.send(id, BrokerRig::name_message("vec"));
    const auto packets = rig.packets(id);
    ASSERT_THAT(packets, SizeIs(1));
    EXPECT_THAT(packets[0], ElementsAre(Message{.type = MessageType::welcome,
                                                .aux = "hostname=vm",
                                                .community = "vecs",
                                                .time = 1000,
                                                .value = 1,
                                                .payload = "asynchronous"}));
}

TEST(Handshake, WelcomeEqualsTheCapturedOneButForTheClock) {
    for (const auto& [name, welcome] :
         {std::pair("02_handshake_c2db_data_name_async", "03_handshake_db2c_welcome"),
          std::pair("30_sync_handshake_c2db_name", "31_sync_handshake_db2c_welcome")}) {
        BrokerRig rig;
        const auto id = rig.accept();
        rig.send(id, wire::captured("01_handshake_c2db_protocol_string"));
        rig.send(id, wire::captured(name));
        const auto answer = rig.receive(id);
        ASSERT_THAT(answer, SizeIs(1));
        EXPECT_EQ(without_times(answer[0]), without_times(golden_message(welcome)));
    }
}

TEST(Handshake, TakesEverythingInSingleBytes) {
    BrokerRig rig;
    const auto id = rig.accept();
    Bytes all(wire::greeting().begin(), wire::greeting().end());
    append(all, wire::encode_packet(wire::view(BrokerRig::name_message("slow"))));
    append(all, wire::encode_packet(wire::view(BrokerRig::number("X", 4))));
    for (const std::byte& byte : all) rig.send(id, ByteView(&byte, 1));
    EXPECT_THAT(rig.receive(id), SizeIs(1));
    EXPECT_EQ(rig.broker.exchange().find("X")->value().value, 4);
}

TEST(Handshake, PutsNothingElseIntoThePacketOfTheWelcome) {
    BrokerRig rig;
    const auto id = rig.accept();
    Bytes all(wire::greeting().begin(), wire::greeting().end());
    append(all, wire::encode_packet(wire::view(BrokerRig::name_message("eager"))));
    append(all, wire::encode_packet(std::vector{BrokerRig::number("X", 4), BrokerRig::registration("X")}));
    rig.send(id, all);
    const auto packets = rig.packets(id);
    ASSERT_THAT(packets, SizeIs(2));
    EXPECT_THAT(packets[0], SizeIs(1));
    EXPECT_THAT(keys(packets[1]), ElementsAre("X"));
}

TEST(Handshake, ClosesWithoutAWordOnAnotherProtocol) {
    for (const std::string_view wrong : {"GET / HTTP/1.1\r\n", "ELKS CAN DANCE", "\x16\x03\x01"}) {
        BrokerRig rig;
        const auto id = rig.accept();
        rig.send(id, bytes_of(wrong));
        EXPECT_THAT(rig.raw(id), IsEmpty());
        EXPECT_THAT(rig.broker.take_closed(), SizeIs(1)) << wrong;
        EXPECT_TRUE(rig.log.mentions("not a MOOS client"));
    }
}

TEST(Handshake, ClosesWhoSaysNothingForFiveSeconds) {
    BrokerRig rig;
    rig.accept();
    rig.advance(4s);
    EXPECT_THAT(rig.broker.take_closed(), IsEmpty());
    rig.advance(1s);
    EXPECT_THAT(rig.broker.take_closed(), SizeIs(1));
}

TEST(Handshake, RefusesAPacketWithoutAName) {
    BrokerRig rig;
    const auto id = rig.accept();
    rig.send(id, wire::greeting());
    rig.send(id, std::vector<Message>{});
    EXPECT_EQ(without_times(rig.receive(id).at(0)), without_times(golden_message("41_poison_no_name_db2c")));
    EXPECT_THAT(rig.broker.take_closed(), SizeIs(1));
}

TEST(Handshake, RefusesANameInUseAsTheCapturedBrokerDoes) {
    BrokerRig rig;
    rig.join("dupe");
    const auto second = rig.accept();
    rig.send(second, wire::greeting());
    rig.send(second, BrokerRig::name_message("dupe"));
    EXPECT_THAT(rig.receive(second), IsEmpty());
    rig.advance(100ms);
    EXPECT_EQ(without_times(rig.receive(second).at(0)),
              without_times(golden_message("40_poison_duplicate_name_db2c")));
    EXPECT_THAT(rig.broker.take_closed(), SizeIs(1));
    EXPECT_EQ(rig.broker.client_count(), 1u);
}

TEST(Handshake, GivesTheNameToTheNewcomerWhenTheHolderLeavesMeanwhile) {
    BrokerRig rig;
    const auto first = rig.join("vec");
    const auto second = rig.accept();
    rig.send(second, wire::greeting());
    rig.send(second, BrokerRig::name_message("vec"));
    rig.broker.disconnect(first, "gone", rig.at);
    EXPECT_EQ(rig.receive(second).at(0).type, MessageType::welcome);
}

TEST(Handshake, LetsANewcomerWaitWhileTheHolderIsSilentAndWelcomesItWhenThatOneIsDead) {
    BrokerRig rig;
    rig.join("vec");
    rig.advance(3s);  // heartbeat stopped
    const auto second = rig.accept();
    rig.send(second, wire::greeting());
    rig.send(second, BrokerRig::name_message("vec"));
    rig.advance(1s);
    EXPECT_THAT(rig.receive(second), IsEmpty());
    rig.advance(1s);
    EXPECT_EQ(rig.receive(second).at(0).type, MessageType::welcome);
}

TEST(Handshake, RefusesTheNewcomerWhenTheSilentHolderSpeaks) {
    BrokerRig rig;
    const auto first = rig.join("vec");
    rig.advance(3s);
    const auto second = rig.accept();
    rig.send(second, wire::greeting());
    rig.send(second, BrokerRig::name_message("vec"));
    rig.send(first, BrokerRig::timing(1));
    rig.advance(100ms);
    EXPECT_EQ(rig.receive(second).at(0).type, MessageType::poison);
}

TEST(Handshake, LogsFewOfTheRefusalsOfANameInUse) {
    BrokerRig rig;
    const auto first = rig.join("vec");
    for (int i = 1; i <= 20; ++i) {
        const auto again = rig.accept();
        rig.send(again, wire::greeting());
        rig.send(again, BrokerRig::name_message("vec"));
        rig.send(first, BrokerRig::timing(1));
        rig.advance(1s);
        ASSERT_EQ(rig.receive(again).at(0).type, MessageType::poison) << i;
    }
    EXPECT_EQ(std::ranges::count_if(rig.log.lines,
                                    [](const auto& line) { return line.text.contains("is refused"); }),
              5);
    EXPECT_TRUE(rig.log.mentions("already exists (16 refused so far)"));
}

TEST(Handshake, TurnsAwayOneClientTooMany) {
    BrokerRig rig(BrokerOptions{.limits = {.max_clients = 2}});
    rig.accept();
    rig.accept();
    const auto third = rig.broker.connect("x", rig.at);
    ASSERT_FALSE(third);
    EXPECT_EQ(third.error().code, Code::limit_exceeded);
}

// ---- values ---------------------------------------------------------------------------------------

TEST(Notify, IsDeliveredVerbatimWithTheCommunityFilledIn) {
    BrokerRig rig;
    const auto vec = rig.join("vec");
    rig.send(vec, wire::captured("12_register_c2db"));
    rig.send(vec, wire::captured("07_notify_double_c2db"));
    EXPECT_EQ(rig.raw(vec), wire::captured("08_notify_double_delivery_db2c"));
}

TEST(Notify, KeepsAForeignCommunity) {
    BrokerRig rig;
    const auto id = rig.join("bridge");
    rig.send(id, BrokerRig::registration("X"));
    Message m = BrokerRig::number("X", 1, "bridge");
    m.community = "elsewhere";
    m.value2 = 42;
    m.payload = "stray";
    rig.send(id, m);
    EXPECT_THAT(rig.receive(id), ElementsAre(m));
}

TEST(Notify, FixesTheTypeAtTheFirstWrite) {
    BrokerRig rig;
    const auto id = rig.join("a");
    rig.send(id, {BrokerRig::registration("X"), BrokerRig::number("X", 1), BrokerRig::text("X", "one")});
    EXPECT_THAT(values(rig.receive(id)), ElementsAre(1));
    EXPECT_TRUE(rig.log.mentions("X has type D"));
    EXPECT_EQ(rig.broker.find_client("a")->traffic.refused, 1u);
}

TEST(Notify, UnderAForeignNameIsDeliveredAndTheTrueWriterCounted) {
    BrokerRig rig;
    const auto reader = rig.join("reader");
    const auto player = rig.join("player");
    rig.send(reader, BrokerRig::registration("X"));
    rig.send(player, BrokerRig::number("X", 1, "someone"));
    EXPECT_EQ(rig.receive(reader).at(0).source, "someone");
    EXPECT_EQ(rig.broker.find_client("player")->foreign_sources.at("someone"), 1u);
    EXPECT_TRUE(rig.log.mentions("client player writes under the name someone"));
    rig.send(reader, BrokerRig::request("CLIENT_SUMMARY"));
    EXPECT_THAT(rig.receive(reader).at(0).payload, testing::HasSubstr(R"("foreign":{"someone":1})"));
}

TEST(Notify, UnderAForeignNameThatIsTooLongIsCountedWithoutKeepingTheName) {
    BrokerRig rig({.limits = {.max_name = 10}});
    const ConnectionId writer = rig.join("player");
    rig.send(writer, BrokerRig::number("X", 1, std::string(1000, 'a')));
    rig.send(writer, BrokerRig::number("X", 2, std::string(1000, 'b')));
    EXPECT_THAT(rig.broker.find_client("player")->foreign_sources,
                testing::ElementsAre(testing::Pair("(others)", 2u)));
    EXPECT_EQ(rig.broker.exchange().find("X")->value().value, 2);
}

TEST(Notify, UnderAForeignNameIsRefusedInStrictModeUnlessListed) {
    BrokerRig rig(BrokerOptions{.strict = true, .allowed_sources = {"listed"}});
    const auto id = rig.join("a");
    rig.send(id, {BrokerRig::number("X", 1, "stranger"), BrokerRig::number("Y", 2, "listed"),
                  BrokerRig::number("Z", 3, "a")});
    EXPECT_EQ(rig.broker.exchange().find("X"), nullptr);
    EXPECT_NE(rig.broker.exchange().find("Y"), nullptr);
    EXPECT_NE(rig.broker.exchange().find("Z"), nullptr);
    EXPECT_EQ(rig.broker.find_client("a")->traffic.refused, 1u);
}

TEST(Notify, MakesNoMoreVariablesThanTheLimit) {
    BrokerRig rig(BrokerOptions{.limits = {.max_variables = 8}});
    const auto id = rig.join("a");
    rig.send(id, {BrokerRig::number("A", 1), BrokerRig::number("B", 1), BrokerRig::number("A", 2)});
    EXPECT_EQ(rig.broker.exchange().find("B"), nullptr);
    EXPECT_EQ(rig.broker.exchange().find("A")->value().value, 2);
    EXPECT_TRUE(rig.log.mentions("max_variables"));
}

TEST(Limits, LeaveTheBrokersOwnVariablesAlone) {
    BrokerRig rig(BrokerOptions{.limits = {.max_variables = 1, .max_name = 4}});
    rig.join("a");
    rig.advance(2s);
    EXPECT_EQ(rig.broker.exchange().find("DB_CLIENTS")->value().payload, "a,");
}

TEST(Notify, OfAnUnknownMessageTypeIsIgnored) {
    BrokerRig rig;
    const auto id = rig.join("a");
    Message m = BrokerRig::number("X", 1);
    m.type = MessageType::command;
    rig.send(id, m);
    m.type = static_cast<MessageType>(0x7f);
    rig.send(id, m);
    EXPECT_EQ(rig.broker.exchange().find("X"), nullptr);
    EXPECT_EQ(rig.broker.client_count(), 1u);
}

// ---- registering ------------------------------------------------------------------------------------

TEST(Register, BringsTheLatestValueAsTheCapturedBrokerSendsIt) {
    BrokerRig rig;
    const auto vec = rig.join("vec");
    const auto early = rig.join("early");
    Message latest = golden_message("13_register_reply_latest_value_db2c");
    Message written = latest;
    written.id = 3;
    written.value2 = 17;
    written.payload = "stray";
    rig.send(vec, written);
    rig.send(early, BrokerRig::registration(latest.key));
    EXPECT_EQ(rig.raw(early), wire::captured("13_register_reply_latest_value_db2c"));
}

TEST(Register, BelongsToTheConnectionWhateverTheSourceSays) {
    BrokerRig rig;
    const auto victim = rig.join("victim");
    const auto liar = rig.join("liar");
    rig.send(liar, BrokerRig::registration("X", 0, "victim"));
    rig.send(liar, BrokerRig::number("X", 1, "liar"));
    EXPECT_THAT(rig.receive(victim), IsEmpty());
    EXPECT_THAT(rig.receive(liar), SizeIs(1));
}

TEST(Register, AgainBringsTheValueAgainAndChangesTheInterval) {
    BrokerRig rig;
    const auto id = rig.join("a");
    rig.send(id, {BrokerRig::number("X", 1), BrokerRig::registration("X"), BrokerRig::registration("X", 10),
                  BrokerRig::number("X", 2)});
    EXPECT_THAT(values(rig.receive(id)), ElementsAre(1, 1));
}

TEST(Register, MakesAVariableThatNobodyHasWritten) {
    BrokerRig rig;
    const auto id = rig.join("a");
    rig.send(id, BrokerRig::registration("NEVER"));
    EXPECT_THAT(rig.receive(id), IsEmpty());
    EXPECT_EQ(rig.broker.exchange().find("NEVER")->type, DataType::none);
}

TEST(Unregister, EndsIt) {
    BrokerRig rig;
    const auto id = rig.join("a");
    rig.send(id, {BrokerRig::registration("X"), BrokerRig::unregistration("X"),
                  BrokerRig::unregistration("Y"), BrokerRig::number("X", 1)});
    EXPECT_THAT(rig.receive(id), IsEmpty());
}

TEST(Interval, HoldsBackAndThenBringsTheNewestEvenIfNothingMoreIsWritten) {
    BrokerRig rig;
    const auto id = rig.join("a");
    rig.send(id, {BrokerRig::registration("X", 0.5), BrokerRig::number("X", 1), BrokerRig::number("X", 2),
                  BrokerRig::number("X", 3)});
    EXPECT_THAT(values(rig.receive(id)), ElementsAre(1));
    EXPECT_EQ(rig.broker.next_wake(rig.at), rig.at.now + 500ms);
    rig.advance(499ms);
    EXPECT_THAT(rig.receive(id), IsEmpty());
    rig.advance(1ms);
    EXPECT_THAT(values(rig.receive(id)), ElementsAre(3));
    rig.advance(10s);
    EXPECT_THAT(rig.receive(id), IsEmpty());
}

TEST(Interval, OfNonsenseIsTakenAsTheNearestThatMakesSense) {
    BrokerRig rig;
    const auto id = rig.join("a");
    const double inf = std::numeric_limits<double>::infinity();
    for (const double interval : {-1.0, -inf, std::nan("")})
        rig.send(id, {BrokerRig::registration("X", interval), BrokerRig::number("X", 1),
                      BrokerRig::number("X", 2)});
    rig.receive(id);
    rig.send(id, {BrokerRig::registration("X", inf), BrokerRig::number("X", 3)});
    EXPECT_THAT(values(rig.receive(id)), ElementsAre(2));
}

TEST(Wildcard, BringsAllLatestValuesInOrderOfTheAlphabet) {
    BrokerRig rig;
    const auto id = rig.join("vec");
    rig.send(id, {BrokerRig::number("VEC_C", 3, "vec"), BrokerRig::number("VEC_A", 1, "vec"),
                  BrokerRig::number("OTHER", 9, "vec"), BrokerRig::number("VEC_B", 2, "vec"),
                  BrokerRig::wildcard("AppPattern=v*,VarPattern=VEC_?,Interval=0.25")});
    EXPECT_THAT(values(rig.receive(id)), ElementsAre(1, 2, 3));
}

TEST(Wildcard, CatchesLaterVariablesAtTheirFirstWriteByTheRightWriter) {
    BrokerRig rig;
    const auto id = rig.join("reader");
    const auto writer = rig.join("writer");
    rig.send(id, BrokerRig::wildcard("AppPattern=writer,VarPattern=N_*"));
    rig.send(writer, {BrokerRig::number("N_1", 1, "writer"), BrokerRig::number("N_2", 1, "other"),
                      BrokerRig::number("N_2", 2, "writer")});
    EXPECT_THAT(keys(rig.receive(id)), ElementsAre("N_1"));
}

TEST(Wildcard, UnregisterRemovesTheFilterToo) {
    BrokerRig rig;
    const auto id = rig.join("a");
    rig.send(id, {BrokerRig::number("N_1", 1), BrokerRig::wildcard("AppPattern=*,VarPattern=N_*")});
    rig.receive(id);
    rig.send(id, {BrokerRig::wildcard("AppPattern=*,VarPattern=N_*,Interval=0", true),
                  BrokerRig::number("N_1", 2), BrokerRig::number("N_2", 2)});
    EXPECT_THAT(rig.receive(id), IsEmpty());
}

TEST(Wildcard, ThatIsLongerThanANameMayBeIsRefused) {
    BrokerRig rig({.limits = {.max_name = 10}});
    const ConnectionId id = rig.join("r");
    rig.send(id, BrokerRig::wildcard("AppPattern=*,VarPattern=" + std::string(11, '*') + ",Interval=0"));
    EXPECT_EQ(rig.broker.find_client("r")->traffic.refused, 1u);
    EXPECT_TRUE(rig.broker.find_client("r")->wildcards.empty());
    EXPECT_TRUE(rig.log.mentions("limit max_name reached"));
}

TEST(Wildcard, ThatCannotBeReadIsRefusedWithASentence) {
    BrokerRig rig;
    const auto id = rig.join("a");
    rig.send(id, {BrokerRig::wildcard("VarPattern=*"),
                  BrokerRig::wildcard("AppPattern=*,VarPattern=*,Interval=soon")});
    EXPECT_EQ(rig.broker.find_client("a")->traffic.refused, 2u);
    EXPECT_TRUE(rig.log.mentions("lacks AppPattern"));
    EXPECT_TRUE(rig.log.mentions("not a number"));
}

// ---- the two kinds of client -----------------------------------------------------------------------------

TEST(Timing, IsEchoedAsTheFirstMessage) {
    BrokerRig rig;
    const auto id = rig.join("a");
    rig.send(id, BrokerRig::registration("X"));
    rig.send(id, {BrokerRig::timing(999.5), BrokerRig::number("X", 1)});
    const auto packets = rig.packets(id);
    ASSERT_THAT(packets, SizeIs(1));
    EXPECT_EQ(
        packets[0][0],
        (Message{
            .type = MessageType::timing, .key = "_async_timing", .time = 999.5, .value = 1000, .value2 = 0}));
    EXPECT_THAT(keys(packets[0]), ElementsAre("_async_timing", "X"));
}

TEST(Timing, StandsFirstEvenIfMailWaitedBefore) {
    BrokerRig rig;
    const auto id = rig.join("a");
    rig.send(id, {BrokerRig::registration("X"), BrokerRig::number("X", 1)});
    rig.send(id, BrokerRig::timing(1));
    EXPECT_THAT(keys(rig.receive(id)), ElementsAre("_async_timing", "X"));
}

TEST(Timing, CountsOnlyAtTheFrontOfAPacket) {
    BrokerRig rig;
    const auto id = rig.join("a");
    rig.send(id, {BrokerRig::number("X", 1), BrokerRig::timing(1)});
    EXPECT_THAT(rig.receive(id), IsEmpty());
}

TEST(Timing, TellsThePauseThatWasConfiguredForTheClient) {
    BrokerRig rig(BrokerOptions{.response = {{"slow*", 20ms}, {"*", 5ms}}});
    const auto slow = rig.join("slow_one");
    const auto other = rig.join("other");
    rig.send(slow, BrokerRig::timing(1));
    rig.send(other, BrokerRig::timing(1));
    EXPECT_DOUBLE_EQ(rig.receive(slow).at(0).value2, 0.020);
    EXPECT_DOUBLE_EQ(rig.receive(other).at(0).value2, 0.005);
}

TEST(Synchronous, IsAnsweredOncePerPacketAndNeverPushed) {
    BrokerRig rig;
    const auto sync = rig.join("syncvec", true);
    const auto writer = rig.join("writer");
    rig.send(sync, BrokerRig::registration("X"));
    const auto first = rig.packets(sync);
    ASSERT_THAT(first, SizeIs(1));
    EXPECT_EQ(first[0][0], (Message{.value = 1000}));
    rig.send(writer, {BrokerRig::number("X", 1), BrokerRig::number("X", 2)});
    EXPECT_THAT(rig.raw(sync), IsEmpty());
    rig.send(sync, wire::captured("32_sync_null_c2db"));
    const auto second = rig.packets(sync);
    ASSERT_THAT(second, SizeIs(1));
    EXPECT_THAT(keys(second[0]), ElementsAre("", "X", "X"));
}

TEST(Synchronous, GetsTwoAnswersForTwoPackets) {
    BrokerRig rig;
    const auto sync = rig.join("syncvec", true);
    Bytes two = wire::captured("32_sync_null_c2db");
    append(two, wire::captured("34_sync_notify_double_c2db"));
    rig.send(sync, two);
    EXPECT_THAT(rig.packets(sync), SizeIs(2));
}

TEST(Synchronous, AnswerEqualsTheCapturedOneButForTheClock) {
    BrokerRig rig;
    const auto sync = rig.join("syncvec", true);
    rig.send(sync, wire::captured("34_sync_notify_double_c2db"));
    EXPECT_EQ(without_times(rig.receive(sync)[0]),
              without_times(golden_message("35_sync_notify_reply_db2c")));
}

TEST(Asynchronous, NeverGetsAnEmptyPacket) {
    BrokerRig rig;
    const auto id = rig.join("a");
    rig.send(id, BrokerRig::number("X", 1));
    rig.send(id, std::vector<Message>{});
    EXPECT_THAT(rig.raw(id), IsEmpty());
}

// ---- leaving
// ------------------------------------------------------------------------------------------------

TEST(Events, TellOfComingAndGoing) {
    BrokerRig rig;
    const auto watcher = rig.join("watcher");
    rig.send(watcher, BrokerRig::registration("DB_EVENT"));
    rig.receive(watcher);
    const auto guest = rig.join("guest");
    rig.broker.disconnect(guest, "gone", rig.at);
    const auto events = rig.receive(watcher);
    ASSERT_THAT(events, SizeIs(2));
    EXPECT_EQ(events[0].payload, "connected=guest");
    EXPECT_EQ(events[1].payload, "disconnected=guest");
    EXPECT_EQ(events[0].source, "MOOSDB_vecs");
}

TEST(Silence, ForFiveSecondsEndsAClientAndItsSubscriptions) {
    BrokerRig rig;
    const auto id = rig.join("a");
    rig.send(id, {BrokerRig::registration("X"), BrokerRig::wildcard("AppPattern=*,VarPattern=*")});
    rig.advance(5s);
    EXPECT_THAT(rig.broker.take_closed(), SizeIs(1));
    EXPECT_EQ(rig.broker.client_count(), 0u);
    EXPECT_THAT(rig.broker.exchange().find("X")->subscriptions, IsEmpty());
}

TEST(Silence, WhileTheBrokerItselfStoodStillIsForgiven) {
    BrokerRig rig;
    rig.join("a");
    rig.jump(1h);
    EXPECT_THAT(rig.broker.take_closed(), IsEmpty());
    rig.advance(5s);
    EXPECT_THAT(rig.broker.take_closed(), SizeIs(1));
}

TEST(WallClock, MayStepByAnHourWithoutDisturbingAnyone) {
    BrokerRig rig;
    const auto id = rig.join("a");
    rig.send(id, {BrokerRig::registration("X", 0.5), BrokerRig::number("X", 1)});
    rig.receive(id);
    for (const double step : {3600.0, -7200.0}) {
        rig.at.stamp += step;
        rig.send(id, BrokerRig::number("X", step));
        rig.advance(500ms);
        EXPECT_THAT(values(rig.receive(id)), ElementsAre(step));
        EXPECT_THAT(rig.broker.take_closed(), IsEmpty());
    }
}

// ---- malformed input
// ------------------------------------------------------------------------------------------

TEST(Malformed, CutsOnlyItsSenderAndSaysWhere) {
    BrokerRig rig;
    const auto good = rig.join("good");
    const auto bad = rig.join("bad");
    rig.send(good, {BrokerRig::registration("DB_NOTICE"), BrokerRig::registration("X")});
    Bytes packet = wire::encode_packet(wire::view(BrokerRig::number("X", 1)));
    store_le<std::int32_t>(packet.data() + 9, 1'000'000);
    rig.send(bad, packet);
    const auto closed = rig.broker.take_closed();
    ASSERT_THAT(closed, SizeIs(1));
    EXPECT_THAT(closed[0].reason, testing::HasSubstr("offset"));
    EXPECT_THAT(rig.receive(good).at(0).payload, testing::StartsWith("cut=bad,reason="));
    rig.send(good, BrokerRig::number("X", 2));
    EXPECT_THAT(values(rig.receive(good)), ElementsAre(2));
}

TEST(Malformed, MessagesBeforeItInTheSamePacketCount) {
    BrokerRig rig;
    const auto id = rig.join("a");
    Bytes packet = wire::encode_packet(std::vector{BrokerRig::number("X", 1), BrokerRig::number("Y", 1)});
    store_le<std::int32_t>(packet.data() + 9 + wire::encoded_size(wire::view(BrokerRig::number("X", 1))), -5);
    rig.send(id, packet);
    EXPECT_NE(rig.broker.exchange().find("X"), nullptr);
    EXPECT_EQ(rig.broker.exchange().find("Y"), nullptr);
}

TEST(EndlessPacket, IsServedMessageByMessageWithoutBeingHeld) {
    BrokerRig rig;
    const auto id = rig.join("a");
    Bytes header;
    wire::append_packet_header(header, 2'000'000'000, 10'000'000);
    rig.send(id, header);
    Bytes message;
    wire::append_message(message, wire::view(BrokerRig::number("X", 1)));
    for (int i = 0; i < 1000; ++i) {
        store_le<double>(message.data() + message.size() - 20, i);
        rig.send(id, message);
    }
    EXPECT_EQ(rig.broker.exchange().find("X")->value().value, 999);
}

}  // namespace
}  // namespace caribou::bus
