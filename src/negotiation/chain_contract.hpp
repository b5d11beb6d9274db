#pragma once

// Chains of nodes that subscribe and publish, as a test suite for every transport: see transport_rig.hpp.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "negotiation/negotiation_rig.hpp"

namespace caribou::negotiation {

/// A source on /level0, and nodes that forward /level0 to /level1, /level1 to /level2 and so on. The
/// publisher of a topic is in process 0 or 1, its subscriptions are in the other one.
template <class Rig>
class ChainContract : public testing::Test {
protected:
    static constexpr Duration period = std::chrono::milliseconds(4);  // five hops, also on a busy machine

    static std::string topic(std::size_t level) { return "/level" + std::to_string(level); }
    Transport& behind(std::size_t level) { return rig.process((level + 1) % 2); }

    void make_chain(std::size_t depth) {
        for (std::size_t i = 0; i < depth; ++i)
            forwarders.emplace_back(rig.loop(), behind(i), topic(i), topic(i + 1));
    }
    Listener& listener(const Likes& likes, std::size_t level) {
        return listeners.emplace_back(rig.loop(), behind(level), likes, SubscriptionOptions{}, topic(level));
    }
    /// Returns whether the messages are consecutive.
    static testing::AssertionResult has_no_gap(const Listener& listener) {
        for (std::size_t i = 1; i < listener.heard.size(); ++i)
            if (number(listener.heard[i]) != number(listener.heard[i - 1]) + 1)
                return testing::AssertionFailure() << listener.subscription.topic_name() << ": "
                                                   << listener.heard[i - 1] << " then " << listener.heard[i];
        return testing::AssertionSuccess();
    }
    static std::size_t number(const std::string& text) { return std::stoul(text.substr(2)); }
    void run_for(Chatter& chatter, std::size_t messages) {
        const std::size_t end = chatter.said + messages;
        ASSERT_TRUE(rig.run_until([&] { return chatter.said >= end; }));
    }
    /// Stops the chatter and checks that the listener receives everything up to the last message.
    void expect_the_rest(Chatter& chatter, const Listener& listener) {
        ASSERT_TRUE(rig.run_until([&] {
            return !listener.heard.empty() && number(listener.heard.back()) + 1 >= chatter.said;
        })) << listener.subscription.topic_name()
            << " received " << (listener.heard.empty() ? "nothing" : listener.heard.back()) << " of "
            << chatter.said << ", " << to_string(listener.subscription.state());
        EXPECT_TRUE(has_no_gap(listener));
    }

    Rig rig;
    std::list<Forwarder> forwarders;
    std::list<Listener> listeners;
};

TYPED_TEST_SUITE_P(ChainContract);

TYPED_TEST_P(ChainContract, ARelayChoosesWhatItsDownstreamCanUse) {
    Speaker source(this->rig.loop(), this->rig.process(0), {.a = 0, .b = 0}, {}, this->topic(0));
    Listener& direct = this->listener({.a = 1}, 0);
    ASSERT_TRUE(this->rig.run_until([&] { return direct.connected_to() == "a"; }));
    this->make_chain(1);
    Listener& behind = this->listener({.b = 1}, 1);
    ASSERT_TRUE(this->rig.run_until([&] { return behind.connected_to() == "b"; }))
        << "the relay is connected to " << this->forwarders.front().in.connection().supported_type_name;
    // Demands that change later are followed, too.
    this->listeners.pop_back();
    Listener& other = this->listener({.a = 1}, 1);
    EXPECT_TRUE(this->rig.run_until([&] { return other.connected_to() == "a"; }));
}

TYPED_TEST_P(ChainContract, AChangeOfTypesLosesNothingBehindAChain) {
    Speaker source(this->rig.loop(), this->rig.process(0), {.a = 0, .b = 0, .c = 0}, {}, this->topic(0));
    this->make_chain(5);
    Listener& steady = this->listener({.a = 1, .b = 2}, 5);
    ASSERT_TRUE(this->rig.run_until([&] { return steady.connected_to() == "b"; }));
    Chatter chatter(this->rig.loop(), source, this->period);
    ASSERT_TRUE(this->rig.run_until([&] { return steady.heard.size() > 20; }));
    Listener& picker = this->listener({.a = 9}, 5);
    ASSERT_TRUE(this->rig.run_until([&] { return steady.connected_to() == "a" && !picker.heard.empty(); }));
    this->run_for(chatter, 30);
    this->listeners.pop_back();
    ASSERT_TRUE(this->rig.run_until([&] { return steady.connected_to() == "b"; }));
    this->run_for(chatter, 30);
    chatter.stop();
    this->expect_the_rest(chatter, steady);
    for (const Forwarder& forwarder : this->forwarders)
        EXPECT_TRUE(forwarder.out.result().success) << forwarder.out.report_text();
}

TYPED_TEST_P(ChainContract, RandomJoinsLeavesAndSwitchesLoseNothing) {
    constexpr std::size_t depth = 5;
    Random random(7);
    Speaker source(this->rig.loop(), this->rig.process(0), {.a = 0, .b = 0, .c = 0}, {}, this->topic(0));
    this->make_chain(depth);
    const auto weight = [&] { return static_cast<double>(random.between(0, 9)); };
    const auto any = [&] { return Likes{.a = weight(), .b = weight(), .c = weight()}; };
    Listener& steady = this->listener(any(), depth);
    ASSERT_TRUE(this->rig.run_until([&] { return !steady.connected_to().empty(); }));
    Chatter chatter(this->rig.loop(), source, this->period);
    // Those that support all types must not miss a message. Those that support a single one cause switches.
    std::list<Listener> pickers;
    for (int step = 0; step < 60; ++step) {
        const std::size_t level = random.below(depth + 1);
        const auto pick = [&](std::size_t n) {
            auto one = this->listeners.begin();
            std::advance(one, static_cast<std::ptrdiff_t>(n));
            return one;
        };
        switch (random.below(5)) {
            case 0: this->listener(any(), level); break;
            case 1:
                if (this->listeners.size() > 1) {
                    const auto leaver = pick(1 + random.below(this->listeners.size() - 1));
                    EXPECT_TRUE(this->has_no_gap(*leaver)) << "step " << step;
                    this->listeners.erase(leaver);
                }
                break;
            case 2: pick(random.below(this->listeners.size()))->reweigh(any()); break;
            case 3: {
                Likes one;
                const std::size_t type = random.below(3);
                (type == 0 ? one.a : type == 1 ? one.b : one.c) = 9;
                pickers.emplace_back(this->rig.loop(), this->behind(level), one, SubscriptionOptions{},
                                     this->topic(level));
                break;
            }
            case 4:
                if (!pickers.empty()) pickers.pop_front();
                break;
        }
        this->run_for(chatter, random.below(40));
    }
    pickers.clear();
    this->run_for(chatter, 100);
    chatter.stop();
    for (const Listener& listener : this->listeners) this->expect_the_rest(chatter, listener);
}

REGISTER_TYPED_TEST_SUITE_P(ChainContract, ARelayChoosesWhatItsDownstreamCanUse,
                            AChangeOfTypesLosesNothingBehindAChain, RandomJoinsLeavesAndSwitchesLoseNothing);

}  // namespace caribou::negotiation
