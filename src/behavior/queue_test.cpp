#include "behavior/queue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/dispatcher_rig.hpp"

namespace caribou::behavior {
namespace {

class QueueTest : public testing::Test {
protected:
    void start(Queue::WhenFailed when_failed = Queue::WhenFailed::go_on) {
        auto& queue = rig.add<Queue>("base", when_failed);
        for (const char* id : {"x", "y", "z"}) queue.add(rig[id]);
        rig.start("base");
    }
    DispatcherRig rig;
};

TEST_F(QueueTest, RunsEachChildOnceInOrderWithoutATickInBetween) {
    start();
    EXPECT_EQ(rig.top(), "x");
    rig.end("x");
    rig.tick();
    EXPECT_EQ(rig.top(), "y");
    EXPECT_THAT(rig.trace, testing::Contains("update y")) << "in the same tick";
    rig.end("y");
    rig.end("z");
    rig.tick();
    EXPECT_TRUE(rig.ended_with("succeeded"));
    EXPECT_TRUE(rig.runner->idle());
}

TEST_F(QueueTest, PassesOverWhoDoesNotWant) {
    rig.set_willing("z");
    start();
    EXPECT_EQ(rig.top(), "z");
}

TEST_F(QueueTest, FailsIfNobodyWanted) {
    rig.set_willing("");
    start();
    EXPECT_TRUE(rig.ended_with("failed: no child wanted to be activated"));
}

TEST_F(QueueTest, GoesOnAfterAFailureUnlessToldOtherwise) {
    start();
    rig.end("x", Outcome::failed("no"));
    rig.tick();
    EXPECT_EQ(rig.top(), "y");
}

TEST_F(QueueTest, EndsWithTheFirstFailureIfToldSo) {
    start(Queue::WhenFailed::end);
    rig.end("x", Outcome::failed("no"));
    rig.tick();
    EXPECT_TRUE(rig.ended_with("failed: no"));
}

TEST_F(QueueTest, RunsThroughChildrenThatEndAtOnceInOneTick) {
    for (const char* id : {"x", "y", "z"}) rig.end_at_once(id);
    start();
    EXPECT_TRUE(rig.ended_with("succeeded"));
}

}  // namespace
}  // namespace caribou::behavior
