#include "negotiation/negotiated_subscription.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "negotiation/negotiation_rig.hpp"
#include "negotiation/topic_names.hpp"

namespace caribou::negotiation {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const NegotiatedTopicInfo entry_a{"std_msgs/msg/String", "a", "/base/a"};
const NegotiatedTopicInfo entry_b{"std_msgs/msg/String", "b", "/base/b"};

/// A subscription to a and b, and a publisher whose results are written by the test.
class SubscriptionTest : public testing::Test {
protected:
    Listener& listener(SubscriptionOptions options = {}) {
        return listeners.emplace_back(rig.loop(), rig.transport, Likes{.a = 1, .b = 1}, std::move(options));
    }
    void SetUp() override { publisher.speak(rig.transport, result_topic("/base"), result_qos); }
    void tell(WriterEar& by, bool success, std::vector<NegotiatedTopicInfo> entries) {
        const auto info =
            std::make_shared<const NegotiatedTopicsInfo>(NegotiatedTopicsInfo{success, std::move(entries)});
        ASSERT_TRUE(by.writer->write(make_sample(info, {})).has_value());
        rig.settle();
    }
    void tell(bool success, std::vector<NegotiatedTopicInfo> entries) {
        tell(publisher, success, std::move(entries));
    }

    InProcessRig rig;
    WriterEar publisher;
    std::list<Listener> listeners;
};

TEST_F(SubscriptionTest, RefusesWhatMakesNoSenseAtTheCallAndNamesIt) {
    NegotiatedSubscription made(rig.loop(), rig.transport, "/base");
    const auto ignore = [](const String&) {};
    const auto message = [](const auto& result) {
        return result ? std::string("taken") : result.error().message;
    };
    EXPECT_THAT(message(made.add_supported_callback<A>(std::nan(""), {}, ignore)),
                HasSubstr("std_msgs/msg/String a"));
    ASSERT_TRUE(made.add_supported_callback<A>(1, {}, ignore).has_value());
    EXPECT_THAT(message(made.add_supported_callback<A>(1, {}, ignore)),
                HasSubstr("a is supported on /base already"));
    EXPECT_THAT(message(made.remove_supported_callback<B>()), HasSubstr("b is not supported on /base"));
    EXPECT_THAT(message(made.add_compatible_subscription({"/x", ""}, "n", 1)), HasSubstr("is empty"));
    EXPECT_THAT(message(made.add_compatible_subscription({"", "t"}, "n", 1)), HasSubstr("needs a name"));
    EXPECT_THAT(message(made.remove_compatible_subscription({"/x", "t"}, "n")),
                HasSubstr("t n is not supported"));
    EXPECT_THAT(message(made.remove_after_subscription_callback(7)), HasSubstr("7"));
    NegotiatedSubscription nameless(rig.loop(), rig.transport, "");
    EXPECT_FALSE(nameless.start().has_value());
}

TEST_F(SubscriptionTest, TakesTheFirstEntryThatItSupports) {
    Listener& made = listener();
    rig.settle();
    tell(true, {{"std_msgs/msg/String", "x", "/base/x"}, entry_b, entry_a});
    EXPECT_EQ(made.subscription.connection(), entry_b);
}

TEST_F(SubscriptionTest, KeepsItsConnectionWhileItIsInTheList) {
    Listener& made = listener();
    rig.settle();
    tell(true, {entry_a});
    tell(true, {entry_b, entry_a});
    EXPECT_EQ(made.subscription.connection(), entry_a);
    EXPECT_EQ(made.subscription.count().connections, 1u);
    NegotiatedTopicInfo moved = entry_a;
    moved.topic_name = "/elsewhere/a";
    tell(true, {entry_b, moved});
    EXPECT_EQ(made.subscription.connection(), entry_b) << "all three strings have to be equal";
}

TEST_F(SubscriptionTest, DisconnectsOnFailureAndWaits) {
    Listener& made = listener();
    rig.settle();
    tell(true, {entry_a});
    tell(false, {entry_a});
    EXPECT_EQ(made.subscription.state(), SubscriptionState::unsatisfied);
    EXPECT_EQ(made.subscription.connection(), NegotiatedTopicInfo{});
    EXPECT_THAT(made.unsatisfied, ElementsAre("/base: the negotiation has failed"));
    tell(true, {});
    EXPECT_EQ(made.unsatisfied.back(), "/base: nothing that it supports was chosen");
    tell(true, {entry_a});
    EXPECT_EQ(made.subscription.connection(), entry_a);
}

TEST_F(SubscriptionTest, KeepsItsConnectionOnFailureIfAsked) {
    Listener& made = listener({.disconnect_on_failure = false});
    rig.settle();
    tell(true, {entry_a});
    tell(false, {});
    EXPECT_EQ(made.subscription.connection(), entry_a);
}

TEST_F(SubscriptionTest, LetsAFunctionOfYoursChooseAmongPossibleEntries) {
    std::vector<NegotiatedTopicInfo> existing;
    std::size_t possible_entries = 0;
    NegotiatedTopicInfo answer = entry_b;
    Listener& made =
        listener({.choose = [&](const NegotiatedTopicInfo& present, const NegotiatedTopicsInfo& possible) {
            existing.push_back(present);
            possible_entries = possible.negotiated_topics.size();
            return answer;
        }});
    rig.settle();
    tell(true, {{"std_msgs/msg/String", "x", "/base/x"}, entry_a, entry_b});
    EXPECT_EQ(made.subscription.connection(), entry_b);
    EXPECT_EQ(possible_entries, 2u);
    answer = {};
    tell(true, {entry_a, entry_b});
    EXPECT_EQ(made.subscription.state(), SubscriptionState::unsatisfied);
    EXPECT_THAT(existing, ElementsAre(NegotiatedTopicInfo{}, entry_b));
    answer = {"not", "in", "the list"};
    tell(true, {entry_a});
    EXPECT_EQ(made.subscription.state(), SubscriptionState::unsatisfied);
}

TEST_F(SubscriptionTest, NeedsNoConnectionWhereACompatibleSubscriptionHears) {
    NegotiatedSubscription made(rig.loop(), rig.transport, "/base");
    const Topic plain{"/plain", "std_msgs/msg/String"};
    ASSERT_TRUE(made.add_compatible_subscription(plain, "p", 1).has_value());
    ASSERT_TRUE(made.start().has_value());
    WriterEar plain_writer;
    plain_writer.speak(rig.transport, plain);
    rig.settle();
    tell(true, {{"std_msgs/msg/String", "p", "/other"}});
    EXPECT_EQ(made.state(), SubscriptionState::unsatisfied) << "that is another topic";
    tell(true, {{"std_msgs/msg/String", "p", "/plain"}});
    EXPECT_EQ(made.state(), SubscriptionState::connected);
    EXPECT_TRUE(plain_writer.joined.empty());
    ASSERT_TRUE(made.remove_compatible_subscription(plain, "p").has_value());
    EXPECT_EQ(made.state(), SubscriptionState::waiting);
}

TEST_F(SubscriptionTest, CallsBackAfterEachConnection) {
    Listener& made = listener();
    std::vector<std::string> calls;
    const auto first = made.subscription.add_after_subscription_callback(
        [&](const NegotiatedTopicInfo& info) { calls.push_back(info.supported_type_name); });
    made.subscription.add_after_subscription_callback(
        [&](const NegotiatedTopicInfo&) { calls.emplace_back("second"); });
    rig.settle();
    tell(true, {entry_a});
    tell(true, {entry_a});
    ASSERT_TRUE(made.subscription.remove_after_subscription_callback(first).has_value());
    tell(true, {entry_b});
    EXPECT_THAT(calls, ElementsAre("a", "second", "second"));
}

TEST_F(SubscriptionTest, StartAgainTellsItAgain) {
    Listener& made = listener();
    rig.virtual_loop.run_ready();
    EXPECT_EQ(made.subscription.count().lists_sent, 1u);
    made.change({.a = 3});
    EXPECT_EQ(made.subscription.count().lists_sent, 2u);
    ASSERT_EQ(made.subscription.supported_types().supported_types.size(), 1u);
    EXPECT_EQ(made.subscription.supported_types().supported_types[0].weight, 3);
}

TEST_F(SubscriptionTest, TakesUpTheLatestResultWhenStartedAgain) {
    Listener& made = listener();
    rig.settle();
    tell(true, {entry_a});
    ASSERT_TRUE(made.subscription.remove_supported_callback<A>().has_value());
    EXPECT_EQ(made.subscription.state(), SubscriptionState::waiting);
    made.change({.a = 5});
    EXPECT_EQ(made.connected_to(), "a") << "a result that stays as it is is not sent again";
}

TEST_F(SubscriptionTest, FollowsOnePublisherAndTurnsToTheOtherWhenItIsGone) {
    Listener& made = listener();
    WriterEar second;
    second.speak(rig.transport, result_topic("/base"), result_qos);
    rig.settle();
    tell(true, {entry_a});
    tell(second, true, {entry_b});
    EXPECT_EQ(made.connected_to(), "a");
    publisher.writer.reset();
    rig.settle();
    EXPECT_EQ(made.connected_to(), "b");
    second.writer.reset();
    rig.settle();
    EXPECT_EQ(made.subscription.state(), SubscriptionState::waiting);
}

TEST_F(SubscriptionTest, StaysWithItsCompatibleSubscription) {
    NegotiatedSubscription made(rig.loop(), rig.transport, "/base");
    const Topic plain{"/plain", "std_msgs/msg/String"};
    std::vector<std::string> heard;
    const auto note = [&](const String& message) { heard.push_back(message.data); };
    ASSERT_TRUE(made.add_supported_callback<A>(1, {}, note).has_value());
    ASSERT_TRUE(made.add_compatible_subscription(plain, "p", 1).has_value());
    ASSERT_TRUE(made.start().has_value());
    rig.settle();
    const NegotiatedTopicInfo entry_plain{"std_msgs/msg/String", "p", "/plain"};
    tell(true, {entry_a, entry_plain});
    EXPECT_EQ(made.connection(), entry_plain) << "not the first one: it would receive both";
    tell(true, {entry_a});
    EXPECT_EQ(made.connection(), entry_a);
    tell(true, {entry_a, entry_plain});
    EXPECT_EQ(made.connection(), entry_plain);
}

/// A publisher of the original sends its result when a list arrives, to the readers that it knows by then.
TEST_F(SubscriptionTest, AsksAgainIfAPublisherDoesNotAnswer) {
    Listener& made = listener();
    rig.virtual_loop.advance(std::chrono::milliseconds(199));
    EXPECT_EQ(made.subscription.count().lists_sent, 1u);
    rig.virtual_loop.advance(std::chrono::milliseconds(1));
    EXPECT_EQ(made.subscription.count().lists_sent, 2u);
    tell(true, {entry_a});
    EXPECT_EQ(made.connected_to(), "a");
    rig.virtual_loop.advance(std::chrono::seconds(10));
    EXPECT_EQ(made.subscription.count().lists_sent, 2u);
    EXPECT_TRUE(made.unsatisfied.empty());
}

TEST_F(SubscriptionTest, ReportsAPublisherThatNeverAnswers) {
    Listener& made = listener();
    rig.virtual_loop.advance(std::chrono::milliseconds(1999));
    EXPECT_TRUE(made.unsatisfied.empty());
    rig.virtual_loop.advance(std::chrono::milliseconds(1));
    EXPECT_THAT(made.unsatisfied, ElementsAre(testing::AllOf(HasSubstr("/base: publisher "),
                                                             HasSubstr("has not answered for 2 s"))));
    EXPECT_EQ(made.subscription.count().lists_sent, 4u) << "the number of attempts is bounded";
    EXPECT_TRUE(rig.virtual_loop.idle());
}

TEST_F(SubscriptionTest, ChangesAWeightWithoutAnInterruption) {
    Listener& made = listener();
    rig.settle();
    tell(true, {entry_a});
    made.reweigh({.a = 7});
    EXPECT_EQ(made.connected_to(), "a");
    EXPECT_EQ(made.subscription.count().connections, 1u);
    EXPECT_EQ(made.subscription.supported_types().supported_types[0].weight, 7);
    const auto unknown = made.subscription.set_weight<C>(1);
    ASSERT_FALSE(unknown.has_value());
    EXPECT_THAT(unknown.error().message, HasSubstr("c is not supported on /base"));
    EXPECT_FALSE(made.subscription.set_weight<A>(1e308).has_value());
}

TEST_F(SubscriptionTest, HoldsTheNewTypeBackUntilTheOldOneIsDone) {
    Listener& made = listener();
    WriterEar a, b;
    a.speak(rig.transport, {"/base/a", "std_msgs/msg/String"});
    b.speak(rig.transport, {"/base/b", "std_msgs/msg/String"});
    rig.settle();
    const WallTime start = rig.loop().clock().wall();
    const auto at = [&](int ms) { return start + std::chrono::milliseconds(ms); };
    tell(true, {entry_a});
    a.say("1", at(1));
    rig.settle();
    const auto info = std::make_shared<const NegotiatedTopicsInfo>(NegotiatedTopicsInfo{true, {entry_b}});
    ASSERT_TRUE(publisher.writer->write(make_sample(info, {})).has_value());
    rig.virtual_loop.run_ready();
    b.say("3", at(3));
    rig.virtual_loop.run_ready();
    EXPECT_THAT(made.heard, ElementsAre("a:1"));
    a.say("2", at(2));
    rig.virtual_loop.run_ready();
    EXPECT_THAT(made.heard, ElementsAre("a:1", "a:2"));
    a.writer.reset();
    rig.virtual_loop.run_ready();
    EXPECT_THAT(made.heard, ElementsAre("a:1", "a:2", "b:3"));
}

TEST_F(SubscriptionTest, WaitsForTheOldTypeNoLongerThanTheLimit) {
    Listener& made = listener();
    WriterEar a, b;
    a.speak(rig.transport, {"/base/a", "std_msgs/msg/String"});
    b.speak(rig.transport, {"/base/b", "std_msgs/msg/String"});
    rig.settle();
    tell(true, {entry_a});
    const auto info = std::make_shared<const NegotiatedTopicsInfo>(NegotiatedTopicsInfo{true, {entry_b}});
    ASSERT_TRUE(publisher.writer->write(make_sample(info, {})).has_value());
    rig.virtual_loop.run_ready();
    b.say("new", rig.loop().clock().wall());
    rig.virtual_loop.advance(2 * Limits{}.switch_limit - std::chrono::milliseconds(1));
    EXPECT_TRUE(made.heard.empty());
    rig.virtual_loop.advance(std::chrono::milliseconds(1));
    EXPECT_THAT(made.heard, ElementsAre("b:new"));
}

}  // namespace
}  // namespace caribou::negotiation
