// Dispatchers that act on how a child ended.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/decorators.hpp"
#include "behavior/dispatcher_rig.hpp"
#include "behavior/fallback.hpp"
#include "behavior/pass_through.hpp"
#include "behavior/queue.hpp"
#include "behavior/retry.hpp"
#include "behavior/sequence.hpp"

namespace caribou::behavior {
namespace {

using namespace std::chrono_literals;

class Outcomes : public testing::Test {
protected:
    template <class T>
    void start_with_all() {
        auto& made = rig.add<T>("base");
        for (const char* id : {"x", "y", "z"}) made.add(rig[id]);
        rig.start("base");
    }
    template <class T, class... Arguments>
    void start_with_one(Arguments... arguments) {
        EXPECT_TRUE(rig.add<T>("base", arguments...).add(rig["x"]));
        rig.start("base");
    }
    DispatcherRig rig;
};

TEST_F(Outcomes, SequenceRunsItsChildrenAsLongAsTheySucceed) {
    start_with_all<Sequence>();
    EXPECT_EQ(rig.top(), "x");
    rig.end("x");
    rig.tick();
    EXPECT_EQ(rig.top(), "y");
    rig.end("y");
    rig.end("z");
    rig.tick();
    EXPECT_TRUE(rig.ended_with("succeeded"));
}

TEST_F(Outcomes, SequenceEndsWithTheFirstFailure) {
    start_with_all<Sequence>();
    rig.end("x");
    rig.end("y", Outcome::failed("blocked"));
    rig.tick();
    EXPECT_TRUE(rig.ended_with("failed: blocked"));
}

TEST_F(Outcomes, SequenceFailsIfAChildDoesNotWant) {
    rig.set_willing("xz");
    start_with_all<Sequence>();
    rig.end("x");
    rig.tick();
    EXPECT_TRUE(rig.ended_with("failed: y does not want control")) << testing::PrintToString(rig.changes);
}

/// Starts a dispatcher whose first child has no answer yet, and lets the child agree two ticks later.
template <class T>
void start_without_answer(DispatcherRig& rig) {
    rig.children.at("x").is_known = false;
    auto& made = rig.add<T>("base");
    for (const char* id : {"x", "y", "z"}) made.add(rig[id]);
    rig.start("base");
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(rig.top(), "base") << "it waits";
        rig.tick();
    }
    rig.children.at("x").is_known = true;
    rig.tick();
    EXPECT_EQ(rig.top(), "x");
}

TEST_F(Outcomes, DispatchersWaitForAnAnswerThatIsNotKnownYet) {
    start_without_answer<Sequence>(rig);
    DispatcherRig other;
    start_without_answer<Fallback>(other);
    DispatcherRig third;
    start_without_answer<Queue>(third);
}

TEST_F(Outcomes, NestedDispatchersWaitForAnAnswerOfTheirChild) {
    rig.children.at("x").is_known = false;
    auto& inner = rig.add<Sequence>("inner");
    inner.add(rig["x"]);
    auto& gate = rig.add<PassThrough>("gate");
    EXPECT_TRUE(gate.add(inner));
    auto& base = rig.add<Fallback>("base");
    base.add(gate);
    base.add(rig["y"]);
    rig.start("base");
    EXPECT_EQ(rig.top(), "base");
    rig.children.at("x").is_known = true;
    rig.tick();
    EXPECT_EQ(rig.top(), "x");
}

TEST_F(Outcomes, FallbackTriesTheNextUntilOneSucceeds) {
    rig.set_willing("yz");
    start_with_all<Fallback>();
    EXPECT_EQ(rig.top(), "y");
    rig.end("y", Outcome::failed("blocked"));
    rig.tick();
    EXPECT_EQ(rig.top(), "z");
    rig.end("z");
    rig.tick();
    EXPECT_TRUE(rig.ended_with("succeeded"));
}

TEST_F(Outcomes, FallbackFailsWithTheLastReason) {
    start_with_all<Fallback>();
    for (const char* id : {"x", "y", "z"}) rig.end(id, Outcome::failed(std::string("no ") + id));
    rig.tick();
    EXPECT_TRUE(rig.ended_with("failed: no z"));
}

TEST_F(Outcomes, FallbackFailsIfNoChildWants) {
    rig.set_willing("");
    start_with_all<Fallback>();
    EXPECT_TRUE(rig.ended_with("failed: no child wanted to be activated"));
}

TEST_F(Outcomes, RetryStopsAtTheFirstSuccess) {
    start_with_one<Retry>(RetryOptions{.attempts = 3});
    rig.end("x", Outcome::failed("blocked"));
    rig.tick();
    EXPECT_EQ(rig.top(), "base") << "at most one attempt per tick";
    rig.tick();
    EXPECT_EQ(rig.top(), "x");
    rig.end("x");
    rig.tick();
    EXPECT_TRUE(rig.ended_with("succeeded"));
}

TEST_F(Outcomes, RetryFailsWithTheReasonOfTheLastAttempt) {
    rig.end_at_once("x", Outcome::failed("blocked"));
    start_with_one<Retry>(RetryOptions{.attempts = 3});
    rig.tick();
    EXPECT_FALSE(rig.runner->idle());
    rig.tick();
    EXPECT_TRUE(rig.ended_with("failed: blocked"));
}

TEST_F(Outcomes, RetryPausesBetweenAttempts) {
    rig.end_at_once("x", Outcome::failed("blocked"));
    start_with_one<Retry>(RetryOptions{.attempts = 2, .pause = 50ms});
    for (int i = 0; i < 4; ++i) rig.tick(10ms);
    EXPECT_FALSE(rig.runner->idle());
    rig.tick(10ms);
    EXPECT_TRUE(rig.ended_with("failed: blocked"));
}

TEST_F(Outcomes, RetryEndsIfItsChildDeclines) {
    start_with_one<Retry>(RetryOptions{.attempts = 9});
    rig.end("x", Outcome::failed("blocked"));
    rig.tick();
    rig.set_willing("");
    rig.tick();
    EXPECT_TRUE(rig.ended_with("failed: blocked"));
}

TEST_F(Outcomes, TimeoutFailsWhenTheTimeIsOver) {
    start_with_one<Timeout>(Duration(25ms));
    rig.tick(10ms);
    rig.tick(10ms);
    EXPECT_EQ(rig.top(), "x");
    rig.tick(10ms);
    EXPECT_TRUE(rig.ended_with("failed: timed out after 25ms")) << testing::PrintToString(rig.changes);
}

TEST_F(Outcomes, TimeoutEndsWithItsChildInTime) {
    start_with_one<Timeout>(Duration(25ms));
    rig.end("x", Outcome::failed("blocked"));
    rig.tick();
    EXPECT_TRUE(rig.ended_with("failed: blocked"));
}

TEST_F(Outcomes, InvertExchangesSuccessAndFailure) {
    start_with_one<Invert>();
    rig.end("x", Outcome::failed("blocked"));
    rig.tick();
    EXPECT_TRUE(rig.ended_with("succeeded"));
    ASSERT_TRUE(rig.runner->set_base("base"));
    rig.tick();
    rig.end("x");
    rig.tick();
    EXPECT_TRUE(rig.ended_with("failed: x succeeded"));
    ASSERT_TRUE(rig.runner->set_base("base"));
    rig.tick();
    rig.end("x", Outcome::cancelled());
    rig.tick();
    EXPECT_TRUE(rig.ended_with("cancelled"));
}

TEST_F(Outcomes, ForcedOutcomesDoNotDependOnTheChild) {
    start_with_one<ForceSuccess>();
    rig.end("x", Outcome::failed("blocked"));
    rig.tick();
    EXPECT_TRUE(rig.ended_with("succeeded"));
    DispatcherRig other;
    EXPECT_TRUE(other.add<ForceFailure>("base").add(other["x"]));
    other.start("base");
    other.end("x");
    other.tick();
    EXPECT_TRUE(other.ended_with("failed: base was to fail, and succeeded"));
}

}  // namespace
}  // namespace caribou::behavior
