#include "robot/running_world.hpp"

#include <gtest/gtest.h>

#include "loop/virtual_loop.hpp"
#include "world/world_plan.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;

TEST(RunningWorld, LeavesOutTimeInWhichItWasNotUsed) {
    VirtualLoop loop;
    RunningWorld world(world::World(world::random_room(1)), loop.clock(), 250ms);
    const auto start = world.now().now();
    loop.advance(200ms);
    EXPECT_EQ(world.now().now() - start, 200ms);
    loop.advance(10s);
    EXPECT_EQ(world.now().now() - start, 450ms);
    loop.advance(100ms);
    EXPECT_EQ(world.now().now() - start, 550ms);
}

}  // namespace
}  // namespace caribou::robot
