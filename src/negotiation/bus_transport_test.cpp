#include "negotiation/bus_transport.hpp"

#include "negotiation/bus_note.hpp"
#include "negotiation/bus_transport_rig.hpp"
#include "negotiation/transport_contract.hpp"

namespace caribou::negotiation {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(Bus, TransportContract, BusRig);
INSTANTIATE_TYPED_TEST_SUITE_P(Bus, TransportLossContract, BusRig);

TEST(BusTransport, MeetsEverybodyAgainWhenTheBrokerIsBack) {
    BusRig rig;
    WriterEar writer;
    ReaderEar reader;
    writer.speak(rig.process(0), chatter, keeping);
    reader.listen(rig.process(1), chatter, keeping);
    writer.say("before");
    ASSERT_TRUE(rig.run_until([&] { return reader.texts.size() == 1; }));
    rig.cut(0);
    ASSERT_TRUE(rig.run_until([&] { return reader.joined.size() == 2; }));
    writer.say("after");
    ASSERT_TRUE(rig.run_until([&] { return reader.texts.size() == 3; }));
    EXPECT_THAT(reader.story, testing::ElementsAre("joined", "before", "gone", "joined", "before", "after"));
    EXPECT_EQ(writer.joined.size(), 2u);
    EXPECT_EQ(writer.gone.size(), 1u);
}

TEST(BusTransport, UsesItsVariablesAgain) {
    BusRig rig;
    ReaderEar reader;
    reader.listen(rig.process(1), chatter);
    for (int i = 0; i < 10; ++i) {
        WriterEar writer;
        writer.speak(rig.process(0), chatter);
        ASSERT_TRUE(rig.run_until([&] { return !writer.joined.empty(); }));
    }
    rig.settle();
    EXPECT_NE(rig.house.broker.broker().exchange().find("/chatter#process0.1"), nullptr);
    EXPECT_EQ(rig.house.broker.broker().exchange().find("/chatter#process0.2"), nullptr);
    EXPECT_EQ(reader.gone.size(), 10u);
}

TEST(BusTransport, PassesOverWhatIsNotForIt) {
    BusRig rig;
    ReaderEar reader;
    reader.listen(rig.process(1), chatter);
    const auto stranger = rig.house.client("stranger");
    ASSERT_TRUE(
        stranger->notify("/chatter#stranger.1", "hello?", {.aux = "sample of something"}).has_value());
    ASSERT_TRUE(stranger->notify("/chatter#stranger.2", "x", {.aux = "welcome 0.1 1 reliable volatile t 0.0"})
                    .has_value());
    ASSERT_TRUE(stranger->notify("@/chatter#process1.1", "join me").has_value());
    rig.settle();
    EXPECT_TRUE(reader.story.empty());
}

TEST(BusNote, IsReadAsItWasWritten) {
    const WriterNote again{
        WriterNote::Kind::again,
        {0xabc, 7},
        42,
        {.reliability = Reliability::best_effort, .durability = Durability::transient_local},
        "std_msgs/msg/String",
        PeerId{0xffff'ffff'ffff'ffff, 1}};
    EXPECT_EQ(
        to_text(again),
        "again 0000000000000abc.7 42 best_effort transient_local std_msgs/msg/String ffffffffffffffff.1");
    EXPECT_EQ(parse_writer_note(to_text(again)), again);
    const ReaderNote join{ReaderNote::Kind::join, {1, 2}, {3, 4}, Durability::transient_local};
    EXPECT_EQ(to_text(join), "join 0000000000000001.2 0000000000000003.4 transient_local");
    EXPECT_EQ(parse_reader_note(to_text(join)), join);
}

TEST(BusNote, NamesTheWordThatMakesNoSense) {
    for (const auto& [text, word] :
         std::vector<std::pair<std::string, std::string>>{{"", "``"},
                                                          {"shout 1.2 3 reliable volatile t", "`shout`"},
                                                          {"sample 12 3 reliable volatile t", "`12`"},
                                                          {"sample 1.2 x reliable volatile t", "`x`"},
                                                          {"sample 1.2 3 mostly volatile t", "`mostly`"},
                                                          {"sample 1.2 3 reliable volatile ", "``"},
                                                          {"sample 1.2 3 reliable volatile t more", "`more`"},
                                                          {"welcome 1.2 3 reliable volatile t", "``"}}) {
        const auto note = parse_writer_note(text);
        ASSERT_FALSE(note.has_value()) << text;
        EXPECT_THAT(note.error().message, testing::StartsWith(word));
    }
    EXPECT_FALSE(parse_reader_note("join 1.2 3.4").has_value());
    EXPECT_FALSE(parse_reader_note("join 1.2 3.4 volatile x").has_value());
}

}  // namespace
}  // namespace caribou::negotiation
