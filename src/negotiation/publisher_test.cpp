#include "negotiation/negotiated_publisher.hpp"

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
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class PublisherTest : public testing::Test {
protected:
    Speaker& speaker(const Likes& likes = {.a = 0, .b = 0, .c = 0}, PublisherOptions options = {}) {
        return speakers.emplace_back(rig.loop(), rig.transport, likes, std::move(options));
    }
    Listener& listener(const Likes& likes, SubscriptionOptions options = {}) {
        return listeners.emplace_back(rig.loop(), rig.transport, likes, std::move(options));
    }

    InProcessRig rig;
    std::list<Speaker> speakers;
    std::list<Listener> listeners;
};

struct Nameless {
    using MsgT = String;
    static constexpr std::string_view supported_type_name = "";
};
struct Blank {
    using MsgT = String;
    static constexpr std::string_view supported_type_name = "a b";
};

TEST_F(PublisherTest, RefusesWhatMakesNoSenseAtTheCallAndNamesIt) {
    NegotiatedPublisher publisher(rig.loop(), rig.transport, "/base");
    const auto message = [](const auto& result) {
        return result ? std::string("taken") : result.error().message;
    };
    EXPECT_THAT(message(publisher.add_supported_type<Nameless>(1)),
                HasSubstr("supported_type_name is empty"));
    EXPECT_THAT(message(publisher.add_supported_type<Blank>(1)), HasSubstr("a b"));
    for (const double weight : {std::nan(""), std::numeric_limits<double>::infinity(), -HUGE_VAL})
        EXPECT_THAT(message(publisher.add_supported_type<A>(weight)), HasSubstr("std_msgs/msg/String a"));
    ASSERT_TRUE(publisher.add_supported_type<A>(1).has_value());
    EXPECT_THAT(message(publisher.add_supported_type<A>(2)),
                HasSubstr("std_msgs/msg/String a is offered on /base already"));
    EXPECT_THAT(message(publisher.remove_supported_type<B>()), HasSubstr("`std_msgs/msg/String a`"));
    EXPECT_THAT(message(publisher.add_compatible_publisher({"", "t"}, "x", 1)), HasSubstr("needs a name"));
    EXPECT_THAT(message(publisher.add_compatible_publisher({"/x", "t"}, "", 1)), HasSubstr("is empty"));
    ASSERT_TRUE(publisher.add_compatible_publisher({"/x", "std_msgs/msg/String"}, "b", 1).has_value());
    EXPECT_THAT(message(publisher.publish<B>(String{"text"})), HasSubstr("registered without its writer"));
    ASSERT_TRUE(publisher.remove_compatible_publisher({"/x", "std_msgs/msg/String"}, "b").has_value());
    EXPECT_THAT(message(publisher.add_compatible_publisher({"/x", "t"}, "x", 1e308)),
                HasSubstr("expected a number from -1e+100 to 1e+100"));
    ASSERT_TRUE(publisher.add_compatible_publisher({"/x", "t"}, "x", 1).has_value());
    EXPECT_THAT(message(publisher.add_compatible_publisher({"/y", "t"}, "x", 1)),
                HasSubstr("t x is offered"));
    EXPECT_THAT(message(publisher.remove_compatible_publisher({"/y", "t"}, "x")), HasSubstr("/y"));
    EXPECT_THAT(message(publisher.remove_compatible_publisher({"/x", "t"}, "y")),
                HasSubstr("t y is not offered"));
    EXPECT_TRUE(publisher.remove_compatible_publisher({"/x", "t"}, "x").has_value());
    EXPECT_THAT(message(publisher.negotiate()), HasSubstr("start() comes before"));
    EXPECT_THAT(message(publisher.publish<B>(String{})), HasSubstr("b is not offered on /base"));
    EXPECT_THAT(message(publisher.publish<A>(std::unique_ptr<String>{})), HasSubstr("no message"));
    ASSERT_TRUE(publisher.start().has_value());
    EXPECT_THAT(message(publisher.start()), HasSubstr("/base has been started already"));

    NegotiatedPublisher none(rig.loop(), rig.transport, "/base", {.maximum_solutions = 0});
    EXPECT_THAT(message(none.start()), HasSubstr("maximum_solutions is 0"));
    NegotiatedPublisher nameless(rig.loop(), rig.transport, "");
    EXPECT_THAT(message(nameless.start()), HasSubstr("needs a name"));
}

TEST_F(PublisherTest, TakesSixtyFourTypesAndNamesTheLimitAtTheNext) {
    Market market("/base", Limits{});
    for (int i = 0; i < 64; ++i)
        ASSERT_TRUE(market.add_offer({.key = {"t", "n" + std::to_string(i)}}).has_value());
    const auto more = market.add_offer({.key = {"t", "more"}});
    ASSERT_FALSE(more.has_value());
    EXPECT_EQ(more.error().code, Code::limit_exceeded);
    EXPECT_THAT(more.error().message, HasSubstr("max_types"));
}

TEST_F(PublisherTest, SendsAndReadsNothingBeforeStart) {
    Listener& waiting = listener({.a = 1});
    NegotiatedPublisher publisher(rig.loop(), rig.transport, "/base");
    ASSERT_TRUE(publisher.add_supported_type<A>(1).has_value());
    rig.settle();
    EXPECT_EQ(waiting.subscription.state(), SubscriptionState::waiting);
    EXPECT_EQ(publisher.count().negotiations, 0u);
    ASSERT_TRUE(publisher.start().has_value());
    rig.settle();
    EXPECT_EQ(waiting.connected_to(), "a");
}

TEST_F(PublisherTest, SaysAndCountsWhatIsNotSentBecauseNobodyNeedsIt) {
    Speaker& publishing = speaker();
    EXPECT_EQ(publishing.publisher.publish<A>(String{"x"}), Published::not_negotiated);
    listener({.b = 1});
    rig.settle();
    EXPECT_EQ(publishing.publisher.publish<A>(String{"x"}), Published::not_negotiated);
    EXPECT_EQ(publishing.publisher.publish<B>(std::make_unique<String>(String{"x"})), Published::sent);
    const NegotiationReport report = publishing.publisher.report();
    EXPECT_EQ(report.spared, 2u);
    EXPECT_EQ(report.offers[0].spared, 2u);
    EXPECT_EQ(report.sent, 1u);
}

TEST_F(PublisherTest, ThereIsNoPolling) {
    Speaker& publishing = speaker();
    listener({.a = 1});
    rig.settle();
    ASSERT_EQ(publishing.negotiated(), "a");
    EXPECT_TRUE(rig.virtual_loop.idle()) << "no timer is armed and no task waits";
}

TEST_F(PublisherTest, WeightsOfZeroAndBelowCanWin) {
    Speaker& publishing = speaker({.a = -3, .b = -2});
    listener({.a = 0, .b = -0.5});
    rig.settle();
    EXPECT_EQ(publishing.negotiated(), "b");
}

TEST_F(PublisherTest, RemovingATypeNegotiatesAgain) {
    Speaker& publishing = speaker({.a = 5, .b = 0});
    Listener& both = listener({.a = 1, .b = 1});
    rig.settle();
    ASSERT_EQ(both.connected_to(), "a");
    ASSERT_TRUE(publishing.publisher.remove_supported_type<A>().has_value());
    rig.settle();
    EXPECT_EQ(both.connected_to(), "b");
    ASSERT_TRUE(publishing.publisher.add_supported_type<A>(9).has_value());
    rig.settle();
    EXPECT_EQ(both.connected_to(), "a");
}

TEST_F(PublisherTest, StopThenStartForgetsOldWeights) {
    Speaker& publishing = speaker();
    listener({.a = 9, .b = 1});
    rig.settle();
    ASSERT_EQ(publishing.negotiated(), "a");
    publishing.publisher.stop();
    EXPECT_EQ(publishing.negotiated(), "");
    listeners.clear();
    ASSERT_TRUE(publishing.publisher.start().has_value());
    listener({.a = 1, .b = 2});
    rig.settle();
    EXPECT_EQ(publishing.negotiated(), "b");
    EXPECT_EQ(publishing.publisher.report().demands.size(), 1u);
}

TEST_F(PublisherTest, AnUnchangedResultIsNotSentAgainExceptToSomeoneNew) {
    Speaker& publishing = speaker();
    Listener& first = listener({.a = 1});
    rig.settle();
    ASSERT_EQ(publishing.publisher.count().results_sent, 1u);
    first.change({.a = 2});
    ASSERT_TRUE(publishing.publisher.negotiate().has_value());
    rig.settle();
    EXPECT_EQ(publishing.publisher.count().results_sent, 1u);
    EXPECT_GE(publishing.publisher.count().negotiations, 2u);
    listener({.a = 1});
    rig.settle();
    EXPECT_EQ(publishing.publisher.count().results_sent, 2u);
}

TEST_F(PublisherTest, AnswersABurstOfJoinsTogether) {
    Speaker& publishing = speaker();
    for (int i = 0; i < 1000; ++i) {
        listener(i % 2 == 0 ? Likes{.a = 1} : Likes{.a = 1, .b = 1});
        rig.virtual_loop.advance(100us);
    }
    rig.settle();
    EXPECT_EQ(publishing.negotiated(), "a");
    EXPECT_LE(publishing.publisher.count().results_sent, 11u);
    for (const Listener& each : listeners) ASSERT_EQ(each.connected_to(), "a");
}

TEST_F(PublisherTest, SendsAtMostOneResultInTenMilliseconds) {
    Speaker& publishing = speaker();
    struct Results final : ReaderEvents {
        explicit Results(InProcessRig& on) : rig(on) {}
        void on_sample(const Peer&, const Sample&) override { at.push_back(rig.loop().clock().now()); }
        InProcessRig& rig;
        std::vector<Instant> at;
    } results(rig);
    const auto reader = rig.transport.subscribe(result_topic("/base"), result_qos, results);
    Listener& fickle = listener({.a = 1});
    for (int i = 0; i < 100; ++i) {
        fickle.change(i % 3 == 0 ? Likes{.a = 1} : i % 3 == 1 ? Likes{.b = 1} : Likes{.c = 1});
        rig.virtual_loop.advance(1ms);
    }
    rig.settle();
    ASSERT_GE(results.at.size(), 9u);
    for (std::size_t i = 1; i < results.at.size(); ++i) EXPECT_GE(results.at[i] - results.at[i - 1], 10ms);
    EXPECT_EQ(publishing.negotiated(), "a");
}

TEST_F(PublisherTest, CallbacksMayCallAnything) {
    // The original needs locks for this.
    NegotiatedPublisher* self = nullptr;
    int updates = 0;
    NegotiatedPublisher publisher(rig.loop(), rig.transport, "/base",
                                  {.on_success =
                                       [&](const NegotiatedTopicsInfo&) {
                                           static_cast<void>(self->publish<A>(String{"first"}));
                                           if (self->supported_types().size() == 1) {
                                               EXPECT_TRUE(self->add_supported_type<B>(5).has_value());
                                           }
                                       },
                                   .on_downstream_update =
                                       [&] {
                                           ++updates;
                                           EXPECT_TRUE(self->negotiate().has_value());
                                       }});
    self = &publisher;
    ASSERT_TRUE(publisher.add_supported_type<A>(1).has_value());
    ASSERT_TRUE(publisher.start().has_value());
    Listener& both = listener({.a = 0, .b = 0});
    rig.settle();
    EXPECT_EQ(both.connected_to(), "b");
    EXPECT_EQ(updates, 1);
}

TEST_F(PublisherTest, NegotiatesOnlyWhenToldIfAsked) {
    Speaker& publishing = speaker({.a = 0, .b = 0}, {.negotiate_on_subscription_added = false,
                                                     .negotiate_on_subscription_removed = false});
    listener({.a = 1});
    rig.settle();
    EXPECT_EQ(publishing.negotiated(), "");
    ASSERT_TRUE(publishing.publisher.negotiate().has_value());
    rig.settle();
    EXPECT_EQ(publishing.negotiated(), "a");
    listeners.clear();
    rig.settle();
    EXPECT_EQ(publishing.negotiated(), "a");
    ASSERT_TRUE(publishing.publisher.negotiate().has_value());
    rig.settle();
    EXPECT_EQ(publishing.negotiated(), "");
}

TEST_F(PublisherTest, DisconnectsOnFailureUnlessAskedToKeep) {
    for (const bool disconnects : {true, false}) {
        speakers.clear();
        listeners.clear();
        Speaker& publishing =
            speaker({.a = 0, .b = 0}, {.disconnect_on_failure = disconnects, .maximum_solutions = 1});
        Listener& first = listener({.a = 1}, {.disconnect_on_failure = disconnects});
        rig.settle();
        ASSERT_EQ(publishing.negotiated(), "a");
        listener({.b = 1});
        rig.settle();
        EXPECT_FALSE(publishing.publisher.result().success);
        EXPECT_EQ(publishing.negotiated(), disconnects ? "" : "a");
        EXPECT_EQ(first.connected_to(), disconnects ? "" : "a");
        ASSERT_THAT(publishing.unsatisfied, testing::SizeIs(1));
        EXPECT_THAT(publishing.unsatisfied[0],
                    HasSubstr("takes at least 2 types, and maximum_solutions is 1"));
    }
}

TEST_F(PublisherTest, KeepsWhatIsPublishedIfASwitchIsNotWorthItsCost) {
    Speaker& publishing = speaker({.a = 0, .b = 0}, {.switch_cost = 2});
    Listener& first = listener({.a = 1, .b = 0});
    rig.settle();
    ASSERT_EQ(publishing.negotiated(), "a");
    first.change({.a = 1, .b = 2});
    rig.settle();
    EXPECT_EQ(publishing.negotiated(), "a");
    EXPECT_TRUE(publishing.publisher.report().is_kept);
    first.change({.a = 1, .b = 4});
    rig.settle();
    EXPECT_EQ(publishing.negotiated(), "b");
}

TEST_F(PublisherTest, LetsAFunctionOfYoursChoose) {
    Speaker& publishing = speaker({.a = 9, .b = 0, .c = 0}, {.negotiate = [](const ChoiceProblem& problem) {
                                      EXPECT_EQ(problem.demands.size(), 1u);
                                      return std::vector<TypeKey>{problem.offers[1].key, {"unknown", "type"}};
                                  }});
    Listener& all = listener({.a = 1, .b = 1, .c = 1});
    rig.settle();
    EXPECT_EQ(publishing.negotiated(), "b");
    EXPECT_EQ(all.connected_to(), "b");
}

TEST_F(PublisherTest, MayBeStoppedByAFunctionOfYours) {
    int calls = 0;
    Speaker& publishing = speaker({.a = 1}, {.negotiate = [&](const ChoiceProblem& problem) {
                                      ++calls;
                                      const std::vector<TypeKey> keys{problem.offers[0].key};
                                      speakers.back().publisher.stop();
                                      return keys;
                                  }});
    Listener& one = listener({.a = 1});
    rig.settle();
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(publishing.negotiated(), "");
    EXPECT_EQ(one.connected_to(), "");
}

TEST_F(PublisherTest, FailsIfAFunctionOfYoursChoosesNothing) {
    Speaker& publishing =
        speaker({.a = 0}, {.negotiate = [](const ChoiceProblem&) { return std::vector<TypeKey>{}; }});
    Listener& one = listener({.a = 1});
    rig.settle();
    EXPECT_EQ(publishing.negotiated(), "");
    EXPECT_EQ(one.subscription.state(), SubscriptionState::unsatisfied);
}

TEST_F(PublisherTest, EverythingIsVisible) {
    Speaker& publishing = speaker({.a = 1, .b = 2, .c = 0});
    listener({.a = 1, .b = 3});
    listener({.b = 4, .c = 1});
    SubscriptionOptions options;
    listeners.emplace_back(rig.loop(), rig.transport, Likes{}, options);
    ASSERT_TRUE(
        listeners.back().subscription.add_compatible_subscription({"/p", "other/msg/T"}, "z", 1).has_value());
    ASSERT_TRUE(listeners.back().subscription.start().has_value());
    rig.settle();
    publishing.say("x");
    const NegotiationReport report = publishing.publisher.report();
    EXPECT_TRUE(report.success);
    EXPECT_TRUE(report.is_proven);
    EXPECT_EQ(report.weight, 9);
    ASSERT_EQ(report.offers.size(), 3u);
    EXPECT_TRUE(report.offers[1].is_chosen);
    EXPECT_EQ(report.offers[1].listed_by, 2u);
    EXPECT_EQ(report.offers[1].readers, 2u);
    EXPECT_EQ(report.offers[1].sent, 1u);
    ASSERT_EQ(report.demands.size(), 3u);
    EXPECT_THAT(report.demands[0].served_by, ElementsAre(reported({"std_msgs/msg/String", "b"})));
    EXPECT_THAT(report.demands[2].served_by, IsEmpty());
    EXPECT_FALSE(report.demands[2].wants.at(0).is_offered);
    EXPECT_THAT(report.demands[2].unserved, HasSubstr("no type that it lists is offered"));
    ASSERT_TRUE(report.runner_up);
    EXPECT_EQ(report.runner_up->more_types, 1u);
    EXPECT_THAT(to_text(report), HasSubstr("+ b: weight 2"));
    EXPECT_THAT(to_text(report), HasSubstr("takes 1 more types"));
    EXPECT_THAT(data::to_json(report), HasSubstr(R"("runner_up":{"types":[)"));
}

}  // namespace
}  // namespace caribou::negotiation
