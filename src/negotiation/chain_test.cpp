// Nodes that subscribe and publish: preferences flow upstream, results flow downstream.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "negotiation/negotiation_rig.hpp"

namespace caribou::negotiation {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr Likes all{.a = 0, .b = 0, .c = 0};

/// Subscribes to one topic and republishes it on another.
struct Relay {
    Relay(InProcessRig& rig, const std::string& from, const std::string& to, const Likes& hears = all,
          const Likes& says = all, Mapping mapping = {})
        : in(rig.loop(), rig.transport, hears, {}, from), out(rig.loop(), rig.transport, says, {}, to) {
        check(out.publisher.add_upstream_negotiated_subscription(in.subscription, std::move(mapping))
                  .has_value(),
              "the upstream is added");
    }

    Listener in;
    Speaker out;
};

/// Returns the weights of the types a, b and c in the list of a subscription.
std::vector<std::string> told(const Listener& listener) {
    std::vector<std::string> types;
    for (const auto& type : listener.subscription.supported_types().supported_types)
        if (type.ros_type_name == "std_msgs/msg/String")
            types.push_back(type.supported_type_name + "=" + std::to_string(static_cast<int>(type.weight)));
    return types;
}

class ChainTest : public testing::Test {
protected:
    Listener& listener(const Likes& likes, const std::string& base) {
        return listeners.emplace_back(rig.loop(), rig.transport, likes, SubscriptionOptions{}, base);
    }

    InProcessRig rig;
    std::list<Listener> listeners;
};

TEST_F(ChainTest, PassesPreferencesUpAndResultsDown) {
    Speaker source(rig.loop(), rig.transport, all, {}, "/one");
    Relay relay(rig, "/one", "/two");
    rig.settle();
    EXPECT_EQ(source.negotiated(), "") << "nobody wants anything yet";
    EXPECT_THAT(told(relay.in), IsEmpty());
    Listener& end = listener({.b = 4}, "/two");
    rig.settle();
    EXPECT_THAT(told(relay.in), ElementsAre("b=4"));
    EXPECT_EQ(source.negotiated(), "b");
    EXPECT_EQ(relay.in.connected_to(), "b");
    EXPECT_EQ(relay.out.negotiated(), "b");
    EXPECT_EQ(end.connected_to(), "b");
}

TEST_F(ChainTest, ReachesThroughALongChain) {
    Speaker source(rig.loop(), rig.transport, all, {}, "/0");
    std::list<Relay> relays;
    for (int i = 0; i < 10; ++i)
        relays.emplace_back(rig, "/" + std::to_string(i), "/" + std::to_string(i + 1));
    Listener& end = listener({.c = 1}, "/10");
    rig.settle();
    EXPECT_EQ(end.connected_to(), "c");
    EXPECT_EQ(source.negotiated(), "c");
    listeners.clear();
    rig.settle();
    EXPECT_EQ(source.negotiated(), "") << "withdrawn all the way";
}

TEST_F(ChainTest, PassesAChangeOfWeightOn) {
    Speaker source(rig.loop(), rig.transport, all, {}, "/one");
    Relay relay(rig, "/one", "/two");
    Listener& end = listener({.a = 4, .b = 1}, "/two");
    rig.settle();
    ASSERT_EQ(end.connected_to(), "a");
    end.change({.a = 1, .b = 4});
    rig.settle();
    EXPECT_THAT(told(relay.in), ElementsAre("a=1", "b=4"));
    EXPECT_EQ(source.negotiated(), "b");
    EXPECT_EQ(end.connected_to(), "b");
}

TEST_F(ChainTest, AddsUpTheWeightsOfAllBehindIt) {
    Speaker source(rig.loop(), rig.transport, all, {}, "/one");
    Relay relay(rig, "/one", "/two", {.a = 10, .b = 0});
    listener({.a = 1, .b = 20}, "/two");
    listener({.a = 1, .b = 3}, "/two");
    rig.settle();
    EXPECT_THAT(told(relay.in), ElementsAre("a=12", "b=23"));
    EXPECT_EQ(source.negotiated(), "b");
}

TEST_F(ChainTest, TheWithdrawalOfOneNeverErasesAnother) {
    Speaker source(rig.loop(), rig.transport, all, {}, "/one");
    Listener shared(rig.loop(), rig.transport, all, {}, "/one");
    std::optional<Speaker> first(std::in_place, rig.loop(), rig.transport, all, PublisherOptions{}, "/first");
    Speaker second(rig.loop(), rig.transport, all, {}, "/second");
    ASSERT_TRUE(first->publisher.add_upstream_negotiated_subscription(shared.subscription).has_value());
    ASSERT_TRUE(second.publisher.add_upstream_negotiated_subscription(shared.subscription).has_value());
    listener({.a = 1}, "/first");
    Listener& stays = listener({.a = 2, .b = 1}, "/second");
    rig.settle();
    EXPECT_THAT(told(shared), ElementsAre("a=3", "b=1"));
    listeners.pop_front();
    rig.settle();
    EXPECT_THAT(told(shared), ElementsAre("a=2", "b=1"));
    first.reset();
    rig.settle();
    EXPECT_THAT(told(shared), ElementsAre("a=2", "b=1"));
    EXPECT_EQ(stays.connected_to(), "a");
}

TEST_F(ChainTest, PublishesOnlyWhatTheUpstreamsDeliver) {
    Speaker source(rig.loop(), rig.transport, {.a = 0}, {}, "/one");
    Relay relay(rig, "/one", "/two");
    Listener& lucky = listener({.a = 1, .b = 9}, "/two");
    Listener& unlucky = listener({.b = 9}, "/two");
    rig.settle();
    EXPECT_EQ(relay.out.negotiated(), "a");
    EXPECT_EQ(lucky.connected_to(), "a");
    EXPECT_EQ(unlucky.subscription.state(), SubscriptionState::unsatisfied);
    ASSERT_FALSE(relay.out.unsatisfied.empty());
    EXPECT_THAT(relay.out.unsatisfied.back(), HasSubstr("upstream subscriptions do not deliver"));
}

TEST_F(ChainTest, WaitsUntilAllUpstreamsHaveNegotiated) {
    Relay relay(rig, "/one", "/three");
    Listener other(rig.loop(), rig.transport, all, {}, "/two");
    ASSERT_TRUE(relay.out.publisher.add_upstream_negotiated_subscription(other.subscription).has_value());
    Speaker one(rig.loop(), rig.transport, all, {}, "/one");
    Listener& end = listener({.a = 1}, "/three");
    rig.settle();
    EXPECT_EQ(relay.out.negotiated(), "");
    Speaker two(rig.loop(), rig.transport, all, {}, "/two");
    rig.settle();
    EXPECT_EQ(relay.out.negotiated(), "a");
    EXPECT_EQ(end.connected_to(), "a");
}

TEST_F(ChainTest, MapsTypesWhereANodeConverts) {
    // Generates c from either a or b.
    const Mapping converts = [](const TypeKey& upstream, const TypeKey& downstream) {
        return downstream.supported_type_name == "c" && upstream.supported_type_name != "c";
    };
    Speaker source(rig.loop(), rig.transport, {.a = 1, .b = 2}, {}, "/one");
    Relay relay(rig, "/one", "/two", all, {.c = 0}, converts);
    Listener& end = listener({.c = 5}, "/two");
    rig.settle();
    EXPECT_THAT(told(relay.in), ElementsAre("a=5", "b=5"));
    EXPECT_EQ(source.negotiated(), "b");
    EXPECT_EQ(end.connected_to(), "c");
}

TEST_F(ChainTest, FollowsAnUpstreamThatComesAndGoes) {
    std::optional<Speaker> source(std::in_place, rig.loop(), rig.transport, all, PublisherOptions{}, "/one");
    Relay relay(rig, "/one", "/two");
    Listener& end = listener({.a = 1}, "/two");
    rig.settle();
    ASSERT_EQ(end.connected_to(), "a");
    source.reset();
    rig.settle();
    EXPECT_EQ(relay.out.negotiated(), "");
    EXPECT_EQ(end.subscription.state(), SubscriptionState::unsatisfied);
    source.emplace(rig.loop(), rig.transport, Likes{.a = 0}, PublisherOptions{}, "/one");
    rig.settle();
    EXPECT_EQ(end.connected_to(), "a");
}

TEST_F(ChainTest, LetsUpstreamsBeRemovedAndDestroyed) {
    Speaker source(rig.loop(), rig.transport, all, {}, "/one");
    auto upstream = std::make_unique<Listener>(rig.loop(), rig.transport, all, SubscriptionOptions{}, "/one");
    Speaker out(rig.loop(), rig.transport, all, {}, "/two");
    ASSERT_TRUE(out.publisher.add_upstream_negotiated_subscription(upstream->subscription).has_value());
    const auto twice = out.publisher.add_upstream_negotiated_subscription(upstream->subscription);
    ASSERT_FALSE(twice.has_value());
    EXPECT_THAT(twice.error().message, HasSubstr("/one is upstream of /two already"));
    Listener& end = listener({.b = 1}, "/two");
    rig.settle();
    ASSERT_EQ(end.connected_to(), "b");
    ASSERT_TRUE(out.publisher.remove_upstream_negotiated_subscription(upstream->subscription).has_value());
    EXPECT_FALSE(out.publisher.remove_upstream_negotiated_subscription(upstream->subscription).has_value());
    EXPECT_THAT(told(*upstream), SizeIs(3)) << "its own preferences are back";
    ASSERT_TRUE(out.publisher.add_upstream_negotiated_subscription(upstream->subscription).has_value());
    upstream.reset();
    rig.settle();
    EXPECT_EQ(end.connected_to(), "b") << "without upstreams everything is usable";
}

TEST_F(ChainTest, FindsACycleAndSaysSo) {
    Relay there(rig, "/one", "/two");
    Relay back(rig, "/two", "/one");
    Listener& end = listener({.a = 1}, "/one");
    rig.settle();
    std::vector<std::string> said = there.out.unsatisfied;
    said.insert(said.end(), back.out.unsatisfied.begin(), back.out.unsatisfied.end());
    EXPECT_THAT(said, testing::Contains(HasSubstr("data would go round")));
    EXPECT_EQ(end.subscription.state(), SubscriptionState::unsatisfied);
    rig.virtual_loop.advance(std::chrono::seconds(10));
    EXPECT_TRUE(rig.virtual_loop.idle()) << "and it comes to rest";
}

TEST_F(ChainTest, ACycleDoesNotHarmThoseWhoAreFedFromOutside) {
    // /one is published by a source and also fed back through a relay.
    Speaker source(rig.loop(), rig.transport, all, {}, "/one");
    Relay loop(rig, "/one", "/one");
    Listener& end = listener({.b = 1}, "/one");
    rig.settle();
    EXPECT_EQ(source.negotiated(), "b");
    EXPECT_EQ(end.connected_to(), "b");
    EXPECT_THAT(loop.out.unsatisfied, testing::Contains(HasSubstr("data would go round")));
}

TEST_F(ChainTest, SaysThatAnUpstreamDoesNotAnswer) {
    Relay relay(rig, "/nowhere", "/two");
    listener({.a = 1}, "/two");
    rig.settle();
    const std::size_t before = relay.out.unsatisfied.size();
    rig.virtual_loop.advance(Limits{}.upstream_limit);
    ASSERT_EQ(relay.out.unsatisfied.size(), before + 1);
    EXPECT_THAT(relay.out.unsatisfied.back(), HasSubstr("upstream /nowhere has not negotiated for 5 s"));
}

}  // namespace
}  // namespace caribou::negotiation
