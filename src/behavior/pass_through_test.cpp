#include "behavior/pass_through.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/dispatcher_rig.hpp"

namespace caribou::behavior {
namespace {

class PassThroughTest : public testing::Test {
protected:
    void start() {
        auto& base = rig.add<PassThrough>("base");
        EXPECT_TRUE(base.add(rig["x"]));
        EXPECT_EQ(base.add(rig["y"]).error().code, Code::already_exists);
        rig.start("base");
    }
    DispatcherRig rig;
};

TEST_F(PassThroughTest, EndsAsItsChildDoes) {
    start();
    EXPECT_EQ(rig.top(), "x");
    rig.end("x", Outcome::failed("no"));
    rig.tick();
    EXPECT_TRUE(rig.ended_with("failed: no"));
}

TEST_F(PassThroughTest, FailsIfItsChildDoesNotWant) {
    rig["x"].in_wants = [](const View&) { return Wants::no("shy"); };
    start();
    EXPECT_TRUE(rig.ended_with("failed: shy"));
}

TEST(PassThroughAlone, FailsWithoutAChild) {
    DispatcherRig rig;
    rig.add<PassThrough>("base");
    rig.start("base");
    EXPECT_TRUE(rig.ended_with("failed: it has no child"));
}

}  // namespace
}  // namespace caribou::behavior
