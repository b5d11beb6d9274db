#include "negotiation/choice.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "negotiation/arbitrary_problem.hpp"
#include "negotiation/explanation.hpp"
#include "negotiation/plain_choice.hpp"

namespace caribou::negotiation {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Returns a problem with offers named `a`, `b`, ... in order, and demands given as `{{offer, weight}, ...}`.
ChoiceProblem problem(std::vector<double> offers, std::vector<std::vector<Want>> demands) {
    ChoiceProblem made;
    for (std::size_t i = 0; i < offers.size(); ++i)
        made.offers.push_back({{"p/msg/T", std::string(1, static_cast<char>('a' + i))}, offers[i]});
    for (auto& wants : demands) made.demands.push_back({.who = "s", .wants = std::move(wants)});
    return made;
}

TEST(Choice, TakesTheFewestTypesBeforeTheBestLikedOnes) {
    const Choice choice = choose(problem({0, 0, 0}, {{{0, 100}, {2, 0}}, {{1, 100}, {2, 0}}}));
    EXPECT_TRUE(choice.success);
    EXPECT_THAT(choice.published, ElementsAre(2));
    EXPECT_TRUE(choice.is_proven);
}

TEST(Choice, TakesTheGreatestWeightAmongTheFewest) {
    const Choice choice = choose(problem({1, 2, 0}, {{{0, 1}, {1, 1}, {2, 1}}, {{0, 1}, {1, 0.5}, {2, 3}}}));
    EXPECT_THAT(choice.published, ElementsAre(2));
    EXPECT_EQ(choice.weight, 4);
}

TEST(Choice, BreaksTiesByTheOrderOfKeys) {
    ChoiceProblem tied = problem({1, 1, 1}, {{{0, 0}, {1, 0}, {2, 0}}});
    tied.offers[1].key.supported_type_name = "A";  // sorts before lower-case letters
    EXPECT_THAT(choose(tied).published, ElementsAre(1));
}

TEST(Choice, LetsWeightsOfZeroAndBelowWin) {
    EXPECT_THAT(choose(problem({-5, -7}, {{{0, 0}, {1, 0}}})).published, ElementsAre(0));
    EXPECT_THAT(choose(problem({0}, {{{0, 0}}})).published, ElementsAre(0));
    EXPECT_THAT(choose(problem({-1}, {{{0, -1}}})).published, ElementsAre(0));
}

TEST(Choice, ServesWithoutASlotWhereACompatiblePublisherSuits) {
    ChoiceProblem with = problem({0, 0}, {{{0, 0}}, {{1, 0}}, {{0, 5}, {1, 5}}});
    with.offers[1].is_compatible = true;
    with.maximum_solutions = 1;
    const Choice choice = choose(with);
    EXPECT_TRUE(choice.success);
    EXPECT_THAT(choice.published, ElementsAre(0));
    EXPECT_THAT(choice.compatible, ElementsAre(1));
}

TEST(Choice, NeedsNoSlotAtAllIfCompatiblePublishersSuitEverybody) {
    ChoiceProblem with = problem({0, 0}, {{{0, 9}, {1, 0}}});
    with.offers[1].is_compatible = true;
    const Choice choice = choose(with);
    EXPECT_TRUE(choice.success);
    EXPECT_THAT(choice.published, IsEmpty());
    EXPECT_THAT(choice.compatible, ElementsAre(1));
}

TEST(Choice, FailsAsAWholeIfItTakesMoreTypesThanAllowed) {
    ChoiceProblem narrow = problem({0, 0}, {{{0, 0}}, {{1, 0}}, {}});
    narrow.maximum_solutions = 1;
    const Choice choice = choose(narrow);
    EXPECT_FALSE(choice.success);
    EXPECT_THAT(choice.published, IsEmpty());
    EXPECT_EQ(choice.at_least, 2u);
    EXPECT_THAT(choice.unserved, ElementsAre(UnservedDemand{0, Unserved::maximum_solutions},
                                             UnservedDemand{1, Unserved::maximum_solutions},
                                             UnservedDemand{2, Unserved::nothing_offered}));
}

TEST(Choice, UsesOnlyWhatTheUpstreamsDeliver) {
    ChoiceProblem chained = problem({9, 0}, {{{0, 9}, {1, 0}}, {{0, 1}}});
    chained.offers[0].is_usable = false;
    const Choice choice = choose(chained);
    EXPECT_TRUE(choice.success);
    EXPECT_THAT(choice.published, ElementsAre(1));
    EXPECT_THAT(choice.unserved, ElementsAre(UnservedDemand{1, Unserved::upstream}));
}

TEST(Choice, IsNoSuccessIfNobodyIsServed) {
    EXPECT_FALSE(choose(problem({1}, {})).success);
    const Choice choice = choose(problem({1}, {{}}));
    EXPECT_FALSE(choice.success);
    EXPECT_THAT(choice.unserved, ElementsAre(UnservedDemand{0, Unserved::nothing_offered}));
}

TEST(Choice, KeepsThePresentTypesIfASwitchIsNotWorthItsCost) {
    const ChoiceProblem both = problem({0, 3}, {{{0, 0}, {1, 0}}});
    EXPECT_THAT(choose(both, {.previous = {0}}).published, ElementsAre(1));
    const Choice kept = choose(both, {.previous = {0}, .switch_cost = 3});
    EXPECT_THAT(kept.published, ElementsAre(0));
    EXPECT_TRUE(kept.is_kept);
    EXPECT_THAT(choose(both, {.previous = {0}, .switch_cost = 2.5}).published, ElementsAre(1));
    // Fewer types are always worth a switch, and so is serving every demand.
    EXPECT_THAT(choose(both, {.previous = {0, 1}, .switch_cost = 100}).published, ElementsAre(1));
    EXPECT_THAT(choose(problem({0, 0}, {{{1, 0}}}), {.previous = {0}, .switch_cost = 100}).published,
                ElementsAre(1));
}

TEST(Choice, DoesNotDependOnTheOrderOfWeightsThatRound) {
    // In doubles, 0.1 + 0.2 + 0.3 differs from 0.3 + 0.2 + 0.1.
    ChoiceProblem forth = problem({0, 0}, {{{0, 0.1}, {1, 0.3}}, {{0, 0.2}, {1, 0.2}}, {{0, 0.3}, {1, 0.1}}});
    EXPECT_THAT(choose(forth).published, ElementsAre(0));
    std::ranges::reverse(forth.demands);
    EXPECT_THAT(choose(forth).published, ElementsAre(0));
}

TEST(Choice, TakesWeightsOfAnySize) {
    EXPECT_THAT(choose(problem({0, 1e300}, {{{0, 1e308}, {1, 1e308}}})).published, ElementsAre(1));
    EXPECT_THAT(choose(problem({0, 1e-280}, {{{0, 0}, {1, 0}}})).published, ElementsAre(1));
}

TEST(Choice, AnswersWithABoundWhenTheBudgetEnds) {
    Random random(1);
    const ChoiceProblem hard = uniform_problem(random, 64, 1000, 3);
    const Choice choice = choose(hard, {.budget = 200'000});
    EXPECT_TRUE(choice.success);
    EXPECT_FALSE(choice.is_proven);
    EXPECT_LE(choice.steps, 200'000u);
    EXPECT_GE(choice.at_least, 15u);
    EXPECT_LE(choice.published.size(), 44u);
    for (const Demand& demand : hard.demands)
        EXPECT_TRUE(std::ranges::any_of(choice.published, [&](std::size_t offer) {
            return demand.lists(offer);
        })) << demand.who;
    EXPECT_TRUE(choose(hard, {.budget = 0}).success) << "even without a step";
}

TEST(Choice, IsExactOnASkewedProblemOfRealisticSize) {
    Random random(1);
    const Choice choice = choose(skewed_problem(random, 64, 1000));
    EXPECT_TRUE(choice.is_proven);
    EXPECT_EQ(choice.at_least, choice.published.size());
}

/// Returns a small problem full of special cases: ties, weights of 0 and below, compatible and unusable
/// offers.
ChoiceProblem small_problem(Random& random) {
    ChoiceProblem made;
    const std::size_t offers = 1 + random.below(6);
    for (std::size_t i = 0; i < offers; ++i)
        made.offers.push_back(
            {.key = {random.chance(0.5) ? "p/msg/A" : "p/msg/B", std::string(1, "fedcba"[i])},
             .weight = static_cast<double>(random.between(-2, 2)),
             .is_compatible = random.chance(0.1),
             .is_usable = random.chance(0.9)});
    const std::size_t demands = random.below(7);
    for (std::size_t i = 0; i < demands; ++i) {
        Demand demand{.who = "s", .wants = {}};
        for (std::size_t offer = 0; offer < offers; ++offer)
            if (random.chance(0.4))
                demand.wants.push_back({offer, static_cast<double>(random.between(-1, 1)) / 2});
        made.demands.push_back(std::move(demand));
    }
    if (random.chance(0.2)) made.maximum_solutions = 1 + random.below(3);
    return made;
}

TEST(Choice, IsThatOfTheExhaustiveSearchOn100000SmallProblems) {
    for (std::uint64_t seed = 0; seed < 100'000; ++seed) {
        Random random(seed);
        const ChoiceProblem small = small_problem(random);
        ChoiceOptions options;
        if (random.chance(0.5)) options.previous.push_back(random.below(small.offers.size()));
        const Choice choice = choose(small, options);
        const PlainChoice plain = choose_plainly(small);
        ASSERT_EQ(choice.success, plain.success) << "seed " << seed;
        ASSERT_EQ(choice.published, plain.published) << "seed " << seed;
        ASSERT_EQ(choice.weight, plain.weight) << "seed " << seed;
        ASSERT_TRUE(choice.is_proven) << "seed " << seed;
    }
}

TEST(Choice, IsTheSameInWhateverOrderOffersAndDemandsCome) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Random random(seed);
        ChoiceProblem made = skewed_problem(random, 12, 30);
        for (Offer& offer : made.offers) offer.weight = random.unit();
        const auto keys = [](const ChoiceProblem& p) {
            std::vector<TypeKey> chosen;
            for (const std::size_t offer : choose(p).published) chosen.push_back(p.offers[offer].key);
            return chosen;
        };
        const std::vector<TypeKey> first = keys(made);
        std::ranges::reverse(made.offers);
        for (Demand& demand : made.demands)
            for (Want& want : demand.wants) want.offer = made.offers.size() - 1 - want.offer;
        for (std::size_t i = made.demands.size(); i > 1; --i)
            std::swap(made.demands[i - 1], made.demands[random.below(i)]);
        ASSERT_EQ(keys(made), first) << "seed " << seed;
    }
}

TEST(Explanation, SaysForWhomATypeIsTheOnlyOneAndWhatTheRunnerUpWouldCost) {
    const ChoiceProblem made = problem({1, 2, 5}, {{{0, 1}}, {{1, 1}, {2, -3}}});
    const Choice choice = choose(made);
    const Explanation why = explain(made, choice);
    ASSERT_EQ(why.reasons.size(), 2u);
    EXPECT_EQ(why.reasons[0].only_for, 0u);
    EXPECT_EQ(why.reasons[0].weight, 2);
    EXPECT_EQ(why.reasons[1].only_for, std::nullopt);
    EXPECT_EQ(why.reasons[1].listed_by, 1u);
    ASSERT_TRUE(why.runner_up);
    EXPECT_THAT(why.runner_up->published, ElementsAre(0, 2));
    EXPECT_EQ(why.runner_up->more_types, 0u);
    EXPECT_EQ(why.runner_up->less_weight, 1);
}

TEST(Explanation, CountsTheTypesThatTheRunnerUpWouldTakeMore) {
    const ChoiceProblem made = problem({0, 0, 0}, {{{0, 1}, {2, 0}}, {{1, 1}, {2, 0}}});
    const Explanation why = explain(made, choose(made));
    ASSERT_TRUE(why.runner_up);
    EXPECT_EQ(why.runner_up->more_types, 1u);
    EXPECT_EQ(why.runner_up->less_weight, -2);
}

TEST(Explanation, HasNoRunnerUpIfEveryTypeIsNeeded) {
    const ChoiceProblem made = problem({0, 0}, {{{0, 1}}, {{1, 1}}});
    EXPECT_FALSE(explain(made, choose(made)).runner_up);
}

}  // namespace
}  // namespace caribou::negotiation
