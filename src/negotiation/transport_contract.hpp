#pragma once

// The contract of every transport, as a test suite over a rig: see transport_rig.hpp.

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "negotiation/transport_rig.hpp"

namespace caribou::negotiation {

inline const Topic chatter{"/chatter", "std_msgs/msg/String"};
inline constexpr TopicQos keeping{.durability = Durability::transient_local, .depth = 3};

template <class Rig>
class TransportContract : public testing::Test {
protected:
    Transport& here() { return rig.process(0); }
    Transport& there() { return rig.process(1); }
    /// Creates both ends of a topic and waits until they are matched.
    void meet(const TopicQos& qos = {}) {
        writer.speak(here(), chatter, qos);
        reader.listen(there(), chatter, qos);
        ASSERT_TRUE(rig.run_until([this] { return !writer.joined.empty() && !reader.joined.empty(); }));
    }
    bool hears(std::size_t texts) {
        return rig.run_until([this, texts] { return reader.texts.size() >= texts; });
    }

    Rig rig;
    WriterEar writer;
    ReaderEar reader;
};

TYPED_TEST_SUITE_P(TransportContract);

TYPED_TEST_P(TransportContract, CarriesSamplesInOrderAndWithTheirStamps) {
    this->meet({.depth = 100});
    const WallTime start = this->rig.loop().clock().wall();
    const WallTime first = std::chrono::floor<std::chrono::microseconds>(start);
    for (int i = 0; i < 100; ++i) this->writer.say(std::to_string(i), first + std::chrono::microseconds(i));
    ASSERT_TRUE(this->hears(100));
    for (int i = 0; i < 100; ++i) {
        const auto n = static_cast<std::size_t>(i);
        ASSERT_EQ(this->reader.texts[n], std::to_string(i));
        ASSERT_EQ(this->reader.stamps[n], first + std::chrono::microseconds(i));
        ASSERT_EQ(this->reader.writers[n], this->reader.joined[0].id);
    }
    this->rig.settle();
    EXPECT_EQ(this->reader.texts.size(), 100u);
}

TYPED_TEST_P(TransportContract, TellsBothEndsWhenTheyMeetAndPart) {
    this->meet();
    this->writer.say("last words");
    this->writer.writer.reset();
    ASSERT_TRUE(this->rig.run_until([this] { return !this->reader.gone.empty(); }));
    EXPECT_THAT(this->reader.story, testing::ElementsAre("joined", "last words", "gone"));
    EXPECT_EQ(this->reader.gone, this->reader.joined);
    EXPECT_FALSE(this->reader.joined[0].name.empty());
}

TYPED_TEST_P(TransportContract, TellsTheWriterWhenAReaderGoes) {
    this->meet();
    this->reader.reader.reset();
    ASSERT_TRUE(this->rig.run_until([this] { return !this->writer.gone.empty(); }));
    EXPECT_EQ(this->writer.gone, this->writer.joined);
    this->writer.say("nobody listens");
    this->rig.settle();
    EXPECT_TRUE(this->reader.texts.empty());
}

TYPED_TEST_P(TransportContract, BringsTheLatestSamplesToATransientLocalReaderThatComesLater) {
    this->writer.speak(this->here(), chatter, keeping);
    for (const auto* text : {"1", "2", "3", "4"}) this->writer.say(text);
    this->rig.settle();
    this->reader.listen(this->there(), chatter, keeping);
    ASSERT_TRUE(this->hears(3));
    this->writer.say("5");
    ASSERT_TRUE(this->hears(4));
    this->rig.settle();
    EXPECT_THAT(this->reader.story, testing::ElementsAre("joined", "2", "3", "4", "5"));
}

TYPED_TEST_P(TransportContract, DoesNotRepeatAnythingToThoseWhoAreThere) {
    this->meet(keeping);
    this->writer.say("1");
    ASSERT_TRUE(this->hears(1));
    ReaderEar late;
    late.listen(this->there(), chatter, keeping);
    ASSERT_TRUE(this->rig.run_until([&] { return late.texts.size() == 1; }));
    this->rig.settle();
    EXPECT_THAT(this->reader.texts, testing::ElementsAre("1"));
    EXPECT_THAT(late.texts, testing::ElementsAre("1"));
}

TYPED_TEST_P(TransportContract, BringsAVolatileReaderOnlyWhatIsWrittenLater) {
    this->writer.speak(this->here(), chatter, keeping);
    this->writer.say("before");
    this->rig.settle();
    this->reader.listen(this->there(), chatter);
    ASSERT_TRUE(this->rig.run_until([this] { return !this->writer.joined.empty(); }));
    this->writer.say("after");
    ASSERT_TRUE(this->hears(1));
    EXPECT_THAT(this->reader.texts, testing::ElementsAre("after"));
}

TYPED_TEST_P(TransportContract, BringsEverythingThatIsWrittenAfterTheReaderHasJoined) {
    this->reader.listen(this->there(), chatter);
    this->rig.settle();
    this->writer.speak(this->here(), chatter);
    ASSERT_TRUE(this->rig.run_until([this] { return !this->writer.joined.empty(); }));
    this->writer.say("at once");
    ASSERT_TRUE(this->hears(1));
}

TYPED_TEST_P(TransportContract, MatchesByNameTypeAndQuality) {
    this->writer.speak(this->here(), chatter);
    ReaderEar other_name, other_type, keeper, best_effort;
    other_name.listen(this->there(), {"/chat", chatter.type});
    other_type.listen(this->there(), {chatter.name, "std_msgs/msg/Int32"});
    keeper.listen(this->there(), chatter, keeping);
    best_effort.listen(this->there(), chatter, {.reliability = Reliability::best_effort});
    ASSERT_TRUE(
        this->rig.run_until([&] { return !best_effort.joined.empty() && !this->writer.joined.empty(); }));
    this->writer.say("x");
    ASSERT_TRUE(this->rig.run_until([&] { return !best_effort.texts.empty(); }));
    this->rig.settle();
    for (const ReaderEar* ear : {&other_name, &other_type, &keeper}) EXPECT_TRUE(ear->story.empty());
    EXPECT_EQ(this->writer.joined.size(), 1u);
}

TYPED_TEST_P(TransportContract, TellsManyWritersApart) {
    std::array<WriterEar, 5> writers;
    for (std::size_t i = 0; i < writers.size(); ++i)
        writers[i].speak(this->rig.process(i % 3), chatter, keeping);
    for (std::size_t i = 0; i < writers.size(); ++i) writers[i].say(std::to_string(i));
    this->reader.listen(this->there(), chatter, keeping);
    ASSERT_TRUE(this->hears(5));
    std::vector<PeerId> ids = this->reader.writers;
    std::ranges::sort(ids);
    EXPECT_EQ(std::ranges::unique(ids).size(), 0u);
    writers[2].writer.reset();
    ASSERT_TRUE(this->rig.run_until([this] { return !this->reader.gone.empty(); }));
    const auto said = std::ranges::find(this->reader.texts, "2") - this->reader.texts.begin();
    EXPECT_EQ(this->reader.gone[0].id, this->reader.writers[static_cast<std::size_t>(said)]);
}

TYPED_TEST_P(TransportContract, TakesAWriterThatIsBackForSomebodyNew) {
    this->meet();
    this->writer.writer.reset();
    this->writer.speak(this->here(), chatter);
    ASSERT_TRUE(this->rig.run_until([this] { return this->reader.joined.size() == 2; }));
    EXPECT_NE(this->reader.joined[0].id, this->reader.joined[1].id);
    EXPECT_THAT(this->reader.story, testing::ElementsAre("joined", "gone", "joined"));
}

TYPED_TEST_P(TransportContract, LetsAReaderBeDestroyedByWhatItHears) {
    this->meet();
    this->reader.on_text = [this](const std::string&) { this->reader.reader.reset(); };
    this->writer.say("1");
    this->writer.say("2");
    ASSERT_TRUE(this->hears(1));
    this->rig.settle();
    EXPECT_THAT(this->reader.texts, testing::ElementsAre("1"));
}

TYPED_TEST_P(TransportContract, TellsNothingFromInsideACall) {
    ReaderEar own;
    this->writer.speak(this->here(), chatter, keeping);
    own.listen(this->here(), chatter, keeping);
    EXPECT_TRUE(own.story.empty());
    EXPECT_TRUE(this->writer.joined.empty());
    this->writer.say("x");
    EXPECT_TRUE(own.story.empty());
    ASSERT_TRUE(this->rig.run_until([&] { return own.texts.size() == 1; }));
}

TYPED_TEST_P(TransportContract, CarriesAMegabyte) {
    this->meet();
    const std::string large(1'000'000, 'x');
    this->writer.say(large);
    ASSERT_TRUE(this->hears(1));
    EXPECT_EQ(this->reader.texts[0], large);
}

TYPED_TEST_P(TransportContract, RefusesTopicsThatCannotBe) {
    for (const auto& [topic, words] : std::vector<std::pair<Topic, std::string>>{
             {{"", "std_msgs/msg/String"}, "needs a name"},
             {{"/x", ""}, "needs a type"},
             {{"/x y", "std_msgs/msg/String"}, "/x y"},
             {{"/x*", "std_msgs/msg/String"}, "none of"},
             {{"/" + std::string(300, 'x'), "std_msgs/msg/String"}, "max_name"}}) {
        const auto made = this->here().advertise(topic, {}, this->writer);
        ASSERT_FALSE(made.has_value()) << topic.name;
        EXPECT_EQ(made.error().code, Code::invalid_argument);
        EXPECT_THAT(made.error().message, testing::HasSubstr(words));
        EXPECT_FALSE(this->here().subscribe(topic, {}, this->reader).has_value());
    }
    EXPECT_FALSE(this->here().advertise(chatter, {.depth = 0}, this->writer).has_value());
}

REGISTER_TYPED_TEST_SUITE_P(TransportContract, CarriesSamplesInOrderAndWithTheirStamps,
                            TellsBothEndsWhenTheyMeetAndPart, TellsTheWriterWhenAReaderGoes,
                            BringsTheLatestSamplesToATransientLocalReaderThatComesLater,
                            DoesNotRepeatAnythingToThoseWhoAreThere,
                            BringsAVolatileReaderOnlyWhatIsWrittenLater,
                            BringsEverythingThatIsWrittenAfterTheReaderHasJoined, MatchesByNameTypeAndQuality,
                            TellsManyWritersApart, TakesAWriterThatIsBackForSomebodyNew,
                            LetsAReaderBeDestroyedByWhatItHears, TellsNothingFromInsideACall,
                            CarriesAMegabyte, RefusesTopicsThatCannotBe);

/// For transports that connect processes: effects on the others when one is lost.
template <class Rig>
class TransportLossContract : public TransportContract<Rig> {};

TYPED_TEST_SUITE_P(TransportLossContract);

TYPED_TEST_P(TransportLossContract, TellsOfAWriterWhoseProcessIsLost) {
    WriterEar steady;
    this->reader.listen(this->there(), chatter, keeping);
    steady.speak(this->rig.process(2), chatter, keeping);
    this->writer.speak(this->here(), chatter, keeping);
    this->writer.say("x");
    ASSERT_TRUE(this->hears(1));
    const PeerId lost = this->reader.writers[0];
    this->rig.lose(0);
    ASSERT_TRUE(this->rig.run_until([this] { return !this->reader.gone.empty(); }));
    EXPECT_EQ(this->reader.gone[0].id, lost);
    steady.say("still there");
    ASSERT_TRUE(this->hears(2));
    EXPECT_EQ(this->reader.gone.size(), 1u);
}

TYPED_TEST_P(TransportLossContract, TellsOfAReaderWhoseProcessIsLost) {
    this->meet();
    this->rig.lose(1);
    ASSERT_TRUE(this->rig.run_until([this] { return !this->writer.gone.empty(); }));
    EXPECT_EQ(this->writer.gone, this->writer.joined);
}

TYPED_TEST_P(TransportLossContract, ServesAProcessThatIsBackUnderItsName) {
    this->meet(keeping);
    this->rig.lose(0);
    WriterEar again;
    again.speak(this->here(), chatter, keeping);
    again.say("back");
    ASSERT_TRUE(this->hears(1));
    // A returning process may be seen before the loss of the old one is detected.
    ASSERT_TRUE(this->rig.run_until([this] { return !this->reader.gone.empty(); }));
    EXPECT_THAT(this->reader.texts, testing::ElementsAre("back"));
    ASSERT_EQ(this->reader.joined.size(), 2u);
    EXPECT_EQ(this->reader.gone[0].id, this->reader.joined[0].id);
    EXPECT_EQ(this->reader.writers[0], this->reader.joined[1].id);
}

REGISTER_TYPED_TEST_SUITE_P(TransportLossContract, TellsOfAWriterWhoseProcessIsLost,
                            TellsOfAReaderWhoseProcessIsLost, ServesAProcessThatIsBackUnderItsName);

}  // namespace caribou::negotiation
