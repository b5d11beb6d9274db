#include "behavior/repeat.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/dispatcher_rig.hpp"

namespace caribou::behavior {
namespace {

class RepeatTest : public testing::Test {
protected:
    void start(std::size_t times) {
        auto& base = rig.add<Repeat>("base", times);
        EXPECT_TRUE(base.add(rig["x"]));
        rig.start("base");
    }
    DispatcherRig rig;
};

TEST_F(RepeatTest, RunsItsChildSoManyTimesOneRoundPerTickAndNoCycleIsSeen) {
    rig.end_at_once("x");
    start(20);
    for (int i = 1; i < 20; ++i) {
        EXPECT_EQ(rig.top(), "base") << i;
        rig.tick();
        EXPECT_EQ(std::ranges::count(rig.trace, "activate x"), 1);
    }
    EXPECT_TRUE(rig.ended_with("succeeded"));
}

TEST_F(RepeatTest, GoesOnWithoutEndIfToldSo) {
    rig.end_at_once("x");
    start(0);
    for (int i = 0; i < 50; ++i) rig.tick();
    EXPECT_THAT(rig.stack(), testing::ElementsAre("base"));
}

TEST_F(RepeatTest, EndsWithTheFirstRoundThatDoesNotSucceed) {
    start(3);
    rig.end("x", Outcome::failed("no"));
    rig.tick();
    EXPECT_TRUE(rig.ended_with("failed: no"));
}

TEST_F(RepeatTest, WaitsWhileItsChildDoesNotWant) {
    rig.set_willing("");
    start(1);
    rig.tick();
    EXPECT_EQ(rig.top(), "base");
    rig.set_willing("x");
    rig.tick();
    EXPECT_EQ(rig.top(), "x");
}

}  // namespace
}  // namespace caribou::behavior
