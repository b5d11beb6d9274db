#pragma once

// The behavior of a negotiation, as a test suite for every transport: see transport_rig.hpp.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "negotiation/negotiation_rig.hpp"
#include "negotiation/topic_names.hpp"

namespace caribou::negotiation {

template <class Rig>
class NegotiationContract : public testing::Test {
protected:
    /// The publisher is in process 0, subscriptions in 1 and above.
    Speaker& speaker(const Likes& likes = {.a = 0, .b = 0, .c = 0}, PublisherOptions options = {}) {
        return speakers.emplace_back(rig.loop(), rig.process(0), likes, std::move(options));
    }
    Listener& listener(const Likes& likes, SubscriptionOptions options = {}, std::size_t process = 1) {
        return listeners.emplace_back(rig.loop(), rig.process(process), likes, std::move(options));
    }
    bool until(std::move_only_function<bool() const> condition) {
        return rig.run_until(std::move(condition));
    }
    /// Runs until the publisher publishes these types and all listeners are connected. Returns false on
    /// timeout.
    bool agreed(const Speaker& on, const std::string& types) {
        return until([&] {
            return on.negotiated() == types && std::ranges::all_of(listeners, [&](const Listener& l) {
                       return l.subscription.state() == SubscriptionState::connected &&
                              types.contains(l.connected_to());
                   });
        });
    }
    /// Checks that `by` has received 0, 1, 2, ..., each once and in order.
    void expect_all(const Listener& by, std::size_t said) {
        ASSERT_TRUE(until([&] { return by.heard.size() >= said; })) << by.heard.size() << " of " << said;
        rig.settle();
        ASSERT_EQ(by.heard.size(), said);
        for (std::size_t i = 0; i < said; ++i) ASSERT_EQ(by.heard[i].substr(2), std::to_string(i));
    }

    Rig rig;
    std::list<Speaker> speakers;
    std::list<Listener> listeners;
};

TYPED_TEST_SUITE_P(NegotiationContract);

TYPED_TEST_P(NegotiationContract, AgreesOnTheTypeThatServesAllAndCarriesIt) {
    Speaker& speaker = this->speaker();
    Listener& first = this->listener({.a = 9, .b = 1});
    Listener& second = this->listener({.b = 1, .c = 9}, {}, 2);
    ASSERT_TRUE(this->agreed(speaker, "b"));
    // Only readers that the publisher has found receive what it publishes.
    ASSERT_TRUE(this->until([&] { return speaker.readers_of_b == 2; }));
    speaker.say("hello");
    ASSERT_TRUE(this->until([&] { return !first.heard.empty() && !second.heard.empty(); }));
    EXPECT_THAT(first.heard, testing::ElementsAre("b:hello"));
    EXPECT_THAT(second.heard, testing::ElementsAre("b:hello"));
    EXPECT_GE(speaker.successes, 1);
}

TYPED_TEST_P(NegotiationContract, LateJoinersGetTheCurrentResultAtOnce) {
    Speaker& speaker = this->speaker();
    this->listener({.a = 1});
    ASSERT_TRUE(this->agreed(speaker, "a"));
    Listener& late = this->listener({.a = 1}, {}, 2);
    ASSERT_TRUE(this->until([&] { return late.connected_to() == "a"; }));
}

TYPED_TEST_P(NegotiationContract, ALatePublisherHearsOfThoseWhoWait) {
    this->listener({.a = 1});
    this->listener({.b = 1}, {}, 2);
    this->rig.settle();
    Speaker& speaker = this->speaker();
    ASSERT_TRUE(this->agreed(speaker, "ab"));
}

TYPED_TEST_P(NegotiationContract, RemovalOfASubscriptionLeadsToANewChoice) {
    Speaker& speaker = this->speaker();
    this->listener({.a = 1, .b = 5});
    this->listener({.a = 1}, {}, 2);
    ASSERT_TRUE(this->agreed(speaker, "a"));
    this->listeners.pop_back();
    ASSERT_TRUE(this->agreed(speaker, "b"));
}

TYPED_TEST_P(NegotiationContract, OnlyTheOneThatLeavesIsForgotten) {
    // The original loses every subscription at the next graph change on CycloneDDS.
    Speaker& speaker = this->speaker();
    this->listener({.a = 1});
    this->listener({.b = 1}, {}, 2);
    this->listener({.c = 1});
    ASSERT_TRUE(this->agreed(speaker, "abc"));
    this->listeners.pop_front();
    ASSERT_TRUE(this->agreed(speaker, "bc"));
    this->rig.settle();
    EXPECT_EQ(speaker.negotiated(), "bc");
    EXPECT_EQ(speaker.publisher.report().demands.size(), 2u);
}

TYPED_TEST_P(NegotiationContract, AChangeOfWeightsLeadsToANewChoice) {
    Speaker& speaker = this->speaker();
    Listener& listener = this->listener({.a = 2, .b = 1});
    ASSERT_TRUE(this->agreed(speaker, "a"));
    listener.change({.a = 1, .b = 2});
    ASSERT_TRUE(this->agreed(speaker, "b"));
}

TYPED_TEST_P(NegotiationContract, AChangeOfTypesLeadsToANewChoice) {
    Speaker& speaker = this->speaker();
    Listener& listener = this->listener({.a = 2});
    ASSERT_TRUE(this->agreed(speaker, "a"));
    listener.change({.c = 2});
    ASSERT_TRUE(this->agreed(speaker, "c"));
}

TYPED_TEST_P(NegotiationContract, SwitchesWithoutAGapOrADouble) {
    Speaker& speaker = this->speaker();
    Listener& steady = this->listener({.a = 5, .b = 1});
    ASSERT_TRUE(this->agreed(speaker, "a"));
    ASSERT_TRUE(this->until([&] { return speaker.publisher.report().offers[0].readers == 1; }));
    Chatter chatter(this->rig.loop(), speaker);
    ASSERT_TRUE(this->until([&] { return chatter.said > 5; }));
    this->listener({.b = 1}, {}, 2);
    ASSERT_TRUE(this->until([&] { return speaker.negotiated() == "b"; }));
    const std::size_t before = chatter.said;
    ASSERT_TRUE(this->until([&] { return chatter.said > before + 20; }));
    chatter.stop();
    this->expect_all(steady, chatter.said);
    EXPECT_TRUE(steady.heard.front().starts_with("a:"));
    EXPECT_TRUE(steady.heard.back().starts_with("b:"));
}

TYPED_TEST_P(NegotiationContract, ChangesOverWithoutADoubleWhileBothTypesArePublished) {
    Speaker& speaker = this->speaker();
    this->listener({.a = 1}, {}, 2);
    this->listener({.b = 1}, {}, 2);
    std::string choice = "a";
    const auto choose = [&](const NegotiatedTopicInfo&, const NegotiatedTopicsInfo& possible) {
        for (const auto& entry : possible.negotiated_topics)
            if (entry.supported_type_name == choice) return entry;
        return NegotiatedTopicInfo{};
    };
    Listener& mover = this->listener({.a = 1, .b = 1}, {.choose = choose});
    ASSERT_TRUE(this->until([&] { return speaker.negotiated() == "ab" && mover.connected_to() == "a"; }));
    this->rig.settle();
    Chatter chatter(this->rig.loop(), speaker);
    ASSERT_TRUE(this->until([&] { return chatter.said > 5; }));
    choice = "b";
    this->listener({.c = 1}, {}, 2);  // causes a new result
    ASSERT_TRUE(this->until([&] { return mover.heard.back().starts_with("b:"); }));
    const std::size_t before = chatter.said;
    ASSERT_TRUE(this->until([&] { return chatter.said > before + 20; }));
    chatter.stop();
    this->expect_all(mover, chatter.said);
}

TYPED_TEST_P(NegotiationContract, TellsWhoGetsNothingAndItsOwner) {
    Speaker& speaker = this->speaker({.a = 0});
    Listener& unlucky = this->listener({.c = 1});
    ASSERT_TRUE(this->until([&] { return unlucky.subscription.state() == SubscriptionState::unsatisfied; }));
    ASSERT_FALSE(speaker.unsatisfied.empty());
    EXPECT_THAT(speaker.unsatisfied.back(), testing::HasSubstr("no type that it lists is offered"));
    EXPECT_FALSE(unlucky.unsatisfied.empty());
    this->listener({.a = 1}, {}, 2);
    ASSERT_TRUE(this->until([&] { return speaker.negotiated() == "a"; }));
    EXPECT_EQ(unlucky.subscription.state(), SubscriptionState::unsatisfied);
}

TYPED_TEST_P(NegotiationContract, DisconnectsWhenThePublisherStops) {
    Speaker& speaker = this->speaker();
    Listener& listener = this->listener({.a = 1});
    ASSERT_TRUE(this->agreed(speaker, "a"));
    speaker.publisher.stop();
    ASSERT_TRUE(this->until([&] { return listener.subscription.state() == SubscriptionState::waiting; }));
    ASSERT_TRUE(speaker.publisher.start().has_value());
    ASSERT_TRUE(this->agreed(speaker, "a"));
}

TYPED_TEST_P(NegotiationContract, ServesThroughACompatiblePublisherWithoutASlot) {
    const Topic plain{"/plain", "std_msgs/msg/String"};
    PublisherOptions options{.maximum_solutions = 1};
    Speaker& speaker = this->speaker({.a = 0}, options);
    WriterEar plain_writer;
    plain_writer.speak(this->rig.process(0), plain);
    ASSERT_TRUE(speaker.publisher.add_compatible_publisher(plain, "b", 1, plain_writer.writer.get()));
    Listener& wants_a = this->listener({.a = 1});
    Listener& wants_b = this->listener({.b = 1}, {}, 2);
    ASSERT_TRUE(this->until([&] { return wants_a.connected_to() == "a" && wants_b.connected_to() == "b"; }));
    EXPECT_EQ(wants_b.subscription.connection().topic_name, "/plain");
    ASSERT_TRUE(this->until([&] { return !plain_writer.joined.empty(); }));
    plain_writer.say("plainly");
    ASSERT_TRUE(this->until([&] { return !wants_b.heard.empty(); }));
    EXPECT_THAT(wants_b.heard, testing::ElementsAre("b:plainly"));
    EXPECT_EQ(speaker.negotiated(), "ab");
    speaker.say("by negotiation");
    ASSERT_TRUE(this->until([&] { return wants_b.heard.size() > 1; }));
    EXPECT_EQ(wants_b.heard.back(), "b:by negotiation");
}

TYPED_TEST_P(NegotiationContract, PublishesWhatItKnowsForTools) {
    Speaker& speaker = this->speaker();
    this->listener({.a = 2, .b = 1});
    ASSERT_TRUE(this->agreed(speaker, "a"));
    ReaderEar tool;
    tool.listen(this->rig.process(2), report_topic("/base"), report_qos);
    ASSERT_TRUE(this->until([&] { return !tool.texts.empty(); }));
    EXPECT_THAT(tool.texts.back(), testing::HasSubstr(R"("success":true)"));
    EXPECT_THAT(tool.texts.back(), testing::HasSubstr(R"("chosen":true)"));
}

TYPED_TEST_P(NegotiationContract, TellsHowManyAreAtTheOtherEndOfAType) {
    std::size_t readers = 0;
    std::size_t writers = 0;
    NegotiatedPublisher publisher(this->rig.loop(), this->rig.process(0), "/base");
    ASSERT_TRUE(publisher.add_supported_type<A>(1, {}, {.on_matched = [&](std::size_t n) { readers = n; }}));
    ASSERT_TRUE(publisher.start());
    NegotiatedSubscription subscription(this->rig.loop(), this->rig.process(1), "/base");
    ASSERT_TRUE(subscription.add_supported_callback<A>(1, {}, [](const String&) {},
                                                       {.on_matched = [&](std::size_t n) { writers = n; }}));
    ASSERT_TRUE(subscription.start());
    EXPECT_TRUE(this->until([&] { return readers == 1 && writers == 1; }));
    this->listener({.a = 1}, {}, 2);
    EXPECT_TRUE(this->until([&] { return readers == 2; }));
    this->listeners.clear();
    EXPECT_TRUE(this->until([&] { return readers == 1; }));
}

REGISTER_TYPED_TEST_SUITE_P(NegotiationContract, AgreesOnTheTypeThatServesAllAndCarriesIt,
                            LateJoinersGetTheCurrentResultAtOnce, ALatePublisherHearsOfThoseWhoWait,
                            RemovalOfASubscriptionLeadsToANewChoice, OnlyTheOneThatLeavesIsForgotten,
                            AChangeOfWeightsLeadsToANewChoice, AChangeOfTypesLeadsToANewChoice,
                            SwitchesWithoutAGapOrADouble, ChangesOverWithoutADoubleWhileBothTypesArePublished,
                            TellsWhoGetsNothingAndItsOwner, DisconnectsWhenThePublisherStops,
                            ServesThroughACompatiblePublisherWithoutASlot, PublishesWhatItKnowsForTools,
                            TellsHowManyAreAtTheOtherEndOfAType);

}  // namespace caribou::negotiation
