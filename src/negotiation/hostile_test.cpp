// Peers that lie, flood or send malformed data: other peers are not disturbed, and all limits hold.

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "negotiation/market.hpp"
#include "negotiation/negotiation_rig.hpp"
#include "negotiation/topic_names.hpp"

namespace caribou::negotiation {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

const std::string text_type = "std_msgs/msg/String";

class HostileTest : public testing::Test {
protected:
    void SetUp() override {
        liar.speak(rig.transport, supported_types_topic("/base"), supported_types_offer);
        rig.settle();
    }
    void list(SupportedTypes types) {
        ASSERT_TRUE(
            liar.writer->write(make_sample(std::make_shared<const SupportedTypes>(std::move(types)), {}))
                .has_value());
    }

    InProcessRig rig;
    Speaker speaker{rig.loop(), rig.transport, Likes{.a = 1, .b = 0}};
    Listener honest{rig.loop(), rig.transport, Likes{.b = 1}};
    WriterEar liar;
};

TEST_F(HostileTest, IgnoresEntriesThatAreNotOfferedOrMakeNoSense) {
    list({{{text_type, "a", std::nan("")},
           {text_type, "a", std::numeric_limits<double>::infinity()},
           {"", "", 1},
           {text_type, std::string(100'000, 'x'), 1},
           {"another/msg/Type", "b", 1e300}}});
    rig.settle();
    EXPECT_EQ(speaker.negotiated(), "b");
    EXPECT_EQ(honest.connected_to(), "b");
    EXPECT_EQ(speaker.publisher.report().demands[1].refused, 3u);
    EXPECT_THAT(speaker.unsatisfied.back(), HasSubstr("no type that it lists is offered"));
}

TEST_F(HostileTest, CountsATypeOnceHoweverOftenItIsListed) {
    SupportedTypes many;
    for (int i = 0; i < 100; ++i) many.supported_types.push_back({text_type, "a", 1});
    list(many);
    rig.settle();
    EXPECT_EQ(speaker.publisher.report().offers[0].total_weight, 2);
}

TEST_F(HostileTest, ReadsNoMoreOfAHugeListThanTheLimit) {
    SupportedTypes huge;
    for (int i = 0; i < 100'000; ++i) huge.supported_types.push_back({text_type, "n" + std::to_string(i), 1});
    huge.supported_types.push_back({text_type, "a", 1});
    list(huge);
    rig.settle();
    const NegotiationReport report = speaker.publisher.report();
    EXPECT_EQ(report.demands[1].wants.size(), Limits{}.max_listed_types);
    EXPECT_EQ(report.demands[1].refused, 100'001 - Limits{}.max_listed_types);
    EXPECT_EQ(speaker.negotiated(), "b");
}

TEST_F(HostileTest, TakesAnEndlessChainForACycle) {
    SupportedTypes chain;
    chain.supported_types.push_back({text_type, "a", 1});
    for (int i = 0; i < 100'000; ++i)
        chain.supported_types.push_back({std::string(chain_type_name), std::to_string(i), 0});
    list(chain);
    rig.settle();
    EXPECT_EQ(speaker.negotiated(), "b");
    EXPECT_THAT(speaker.unsatisfied.back(), HasSubstr("go round"));
}

TEST_F(HostileTest, CountsListsThatCannotBeRead) {
    for (const std::size_t size : {0u, 3u, 8u, 100u}) {
        Bytes junk(size, std::byte{0xff});
        ASSERT_TRUE(liar.writer->write(Sample(std::make_shared<const Bytes>(junk), {})).has_value());
    }
    rig.settle();
    EXPECT_EQ(speaker.publisher.count().malformed, 4u);
    EXPECT_EQ(speaker.negotiated(), "b");
}

TEST_F(HostileTest, StaysCalmUnderAFloodOfLists) {
    const auto before = speaker.publisher.count();
    for (int i = 0; i < 10'000; ++i) {
        list({{{text_type, i % 2 == 0 ? "a" : "b", static_cast<double>(i)}}});
        rig.virtual_loop.advance(10us);
    }
    rig.settle();
    EXPECT_LE(speaker.publisher.count().negotiations - before.negotiations, 12u) << "one in 10 ms";
    EXPECT_EQ(honest.connected_to(), "b");
}

TEST_F(HostileTest, HearsNoMoreSubscriptionsThanTheLimit) {
    Limits limits{.max_subscriptions = 3};
    Market market("/base", limits);
    for (std::uint64_t i = 0; i < 3; ++i) ASSERT_TRUE(market.hear({{0, i}, "s"}, {}).has_value());
    const auto refused = market.hear({{0, 9}, "s"}, {});
    ASSERT_FALSE(refused.has_value());
    EXPECT_THAT(refused.error().message, HasSubstr("max_subscriptions"));
    EXPECT_TRUE(market.hear({{0, 1}, "s"}, {}).has_value()) << "who is there may change its mind";
    ASSERT_TRUE(market.forget({0, 1}));
    EXPECT_TRUE(market.hear({{0, 9}, "s"}, {}).has_value());
}

TEST_F(HostileTest, WaitsLongerAfterAChoiceThatWasHard) {
    // Every change uses up the whole budget: at most a few negotiations per second are allowed.
    NegotiatedPublisher publisher(rig.loop(), rig.transport, "/hard", {.budget = 0});
    ASSERT_TRUE(publisher.add_supported_type<A>(1).has_value());
    ASSERT_TRUE(publisher.add_supported_type<B>(1).has_value());
    ASSERT_TRUE(publisher.start().has_value());
    WriterEar fickle;
    fickle.speak(rig.transport, supported_types_topic("/hard"), supported_types_offer);
    for (int i = 0; i < 1000; ++i) {
        const auto list = std::make_shared<const SupportedTypes>(
            SupportedTypes{{{text_type, "a", static_cast<double>(i)}, {text_type, "b", 0}}});
        ASSERT_TRUE(fickle.writer->write(make_sample(list, {})).has_value());
        rig.virtual_loop.advance(1ms);
    }
    EXPECT_GE(publisher.count().negotiations, 1u);
    EXPECT_LE(publisher.count().negotiations, 7u) << "one in 200 ms";
}

TEST_F(HostileTest, FollowsNoMorePublishersThanTheLimitAndReadsNoMoreEntries) {
    SubscriptionOptions options;
    options.limits.max_publishers = 1;
    options.limits.max_results = 2;
    Listener careful(rig.loop(), rig.transport, Likes{.a = 1, .b = 1}, options, "/other");
    std::array<WriterEar, 2> publishers;
    for (WriterEar& each : publishers) each.speak(rig.transport, result_topic("/other"), result_qos);
    rig.settle();
    const auto tell = [&](WriterEar& by, std::vector<NegotiatedTopicInfo> entries) {
        const auto info =
            std::make_shared<const NegotiatedTopicsInfo>(NegotiatedTopicsInfo{true, std::move(entries)});
        ASSERT_TRUE(by.writer->write(make_sample(info, {})).has_value());
        rig.settle();
    };
    tell(publishers[1], {{text_type, "a", "/other/a"}});
    EXPECT_EQ(careful.subscription.state(), SubscriptionState::waiting);
    tell(publishers[0], {{"x", "y", "z"}, {"x", "y", "z"}, {text_type, "a", "/other/a"}});
    EXPECT_EQ(careful.subscription.state(), SubscriptionState::unsatisfied);
    tell(publishers[0], {{text_type, "b", "not a topic"}});
    EXPECT_EQ(careful.subscription.state(), SubscriptionState::unsatisfied);
    EXPECT_THAT(careful.unsatisfied.back(), HasSubstr("not a topic"));
}

TEST_F(HostileTest, CountsDataThatCannotBeRead) {
    WriterEar junk;
    junk.speak(rig.transport, {"/base/b", text_type});
    rig.settle();
    ASSERT_TRUE(junk.writer->write(Sample(std::make_shared<const Bytes>(Bytes(5)), {})).has_value());
    speaker.say("good");
    rig.settle();
    EXPECT_EQ(honest.subscription.count().malformed, 1u);
    EXPECT_THAT(honest.heard, testing::ElementsAre("b:good"));
}

}  // namespace
}  // namespace caribou::negotiation
