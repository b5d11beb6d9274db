// The final state depends only on the peers that are present, not on the order of events: tested over a
// perfect transport with many orders of the same events, and over a bus that loses processes with random
// events.

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "negotiation/bus_transport_rig.hpp"
#include "negotiation/negotiation_rig.hpp"
#include "negotiation/plain_choice.hpp"

namespace caribou::negotiation {
namespace {

using namespace std::chrono_literals;

const std::string text_name = "std_msgs/msg/String";

Likes random_likes(Random& random) {
    const auto weight = [&] {
        return random.chance(0.5) ? std::optional(static_cast<double>(random.between(-2, 2))) : std::nullopt;
    };
    Likes likes;
    likes.a = weight();
    likes.b = weight();
    likes.c = weight();
    return likes;
}

/// Returns the types that should be published for the subscriptions present, such as `ab`.
std::string expected(const Likes& offered, const std::map<int, Likes>& wanted) {
    ChoiceProblem problem;
    const auto members = {&Likes::a, &Likes::b, &Likes::c};
    std::string names;
    char name = 'a';
    for (const auto member : members) {
        if (offered.*member)
            problem.offers.push_back({{text_name, std::string(1, name)}, *(offered.*member)});
        ++name;
    }
    for (const auto& [number, likes] : wanted) {
        Demand demand{.who = "s", .wants = {}};
        std::size_t offer = 0;
        for (const auto member : members) {
            if (!(offered.*member)) continue;
            if (likes.*member) demand.wants.push_back({offer, *(likes.*member)});
            ++offer;
        }
        problem.demands.push_back(std::move(demand));
    }
    for (const std::size_t offer : choose_plainly(problem).published)
        names += problem.offers[offer].key.supported_type_name;
    return names;
}

TEST(History, AnyOrderOfJoinsLeavesAndChangesEndsInTheSameChoice) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        Random random(seed);
        const Likes offered{.a = 1, .b = random.chance(0.5) ? 1.0 : 0.0, .c = 1};
        // Five subscriptions, with their initial and their final types; some of them leave.
        std::vector<Likes> first, last;
        std::map<int, Likes> stay;
        for (int i = 0; i < 5; ++i) {
            first.push_back(random_likes(random));
            last.push_back(random_likes(random));
            if (random.chance(0.7)) stay[i] = last.back();
        }
        const std::string ought = expected(offered, stay);
        for (int order = 0; order < 4; ++order) {
            InProcessRig rig;
            Speaker speaker(rig.loop(), rig.transport, offered);
            std::vector<int> steps;  // three per subscription: join, change, stay or leave
            for (int i = 0; i < 15; ++i) steps.push_back(i % 5);
            for (std::size_t i = steps.size(); i > 1; --i) std::swap(steps[i - 1], steps[random.below(i)]);
            std::map<int, std::pair<int, std::unique_ptr<Listener>>> there;
            for (const int who : steps) {
                auto& [step, listener] = there[who];
                const auto n = static_cast<std::size_t>(who);
                if (step == 0) listener = std::make_unique<Listener>(rig.loop(), rig.transport, first[n]);
                if (step == 1) listener->change(last[n]);
                if (step == 2 && !stay.contains(who)) listener.reset();
                ++step;
                if (random.chance(0.5)) rig.virtual_loop.advance(Duration(random.between(0, 20'000'000)));
            }
            rig.settle();
            ASSERT_EQ(speaker.negotiated(), ought) << "seed " << seed << " order " << order;
            for (const auto& [who, state] : there) {
                if (!state.second) continue;
                ASSERT_TRUE(ought.contains(state.second->connected_to())) << "seed " << seed;
            }
        }
    }
}

/// Runs one random sequence of events over a bus: processes join, change their types, leave, crash and lose
/// their connection.
void tell_story(std::uint64_t seed) {
    Random random(seed);
    BusRig rig;
    const Likes offered{.a = 1, .b = 0, .c = -1};
    Speaker speaker(rig.loop(), rig.process(0), offered);
    std::map<int, Likes> wanted;
    std::map<int, std::unique_ptr<Listener>> listeners;
    std::vector<std::unique_ptr<Listener>> crashed;
    for (int step = 0; step < 30; ++step) {
        const int who = 1 + static_cast<int>(random.below(4));
        const auto process = static_cast<std::size_t>(who);
        if (!listeners.contains(who)) {
            wanted[who] = random_likes(random);
            listeners[who] = std::make_unique<Listener>(rig.loop(), rig.process(process), wanted[who]);
        } else if (random.chance(0.4)) {
            wanted[who] = random_likes(random);
            listeners[who]->change(wanted[who]);
        } else if (random.chance(0.4)) {
            listeners.erase(who);
            wanted.erase(who);
        } else if (random.chance(0.5)) {
            crashed.push_back(std::move(listeners[who]));
            listeners.erase(who);
            wanted.erase(who);
            rig.lose(process);
        } else {
            rig.cut(random.chance(0.3) ? 0 : process);
        }
        rig.house.loop.advance(Duration(random.between(0, 2'000'000'000)));
        speaker.say(std::to_string(step));
    }
    rig.house.loop.advance(30s);
    ASSERT_EQ(speaker.negotiated(), expected(offered, wanted)) << "seed " << seed;
    for (const auto& [who, listener] : listeners) {
        const bool has_any = wanted[who].a || wanted[who].b || wanted[who].c;
        ASSERT_EQ(listener->subscription.state() == SubscriptionState::connected, has_any) << "seed " << seed;
        listener->heard.clear();
    }
    speaker.say("the end");
    rig.house.loop.advance(1s);
    for (const auto& [who, listener] : listeners) {
        const bool is_connected = listener->subscription.state() == SubscriptionState::connected;
        ASSERT_EQ(listener->heard.size(), is_connected ? 1u : 0u) << "seed " << seed << ": heard once";
    }
}

TEST(History, AnyStoryWithLostProcessesEndsConsistent) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        tell_story(seed);
        if (testing::Test::HasFatalFailure()) return;
    }
}

}  // namespace
}  // namespace caribou::negotiation
