#include "base/ids.hpp"

#include <type_traits>
#include <unordered_set>

#include <gtest/gtest.h>

namespace caribou {
namespace {

using CubeId = Id<struct CubeTag>;
using RobotId = Id<struct RobotTag>;

static_assert(!std::is_convertible_v<CubeId, RobotId>, "ids of different kinds do not mix");

TEST(Id, ComparesByItsNumber) {
    EXPECT_EQ(CubeId{7}, CubeId{7});
    EXPECT_NE(CubeId{7}, CubeId{8});
    EXPECT_LT(CubeId{7}, CubeId{8});
    EXPECT_EQ(CubeId{}, CubeId{0});
}

TEST(Id, IsAKeyOfAHashSet) {
    const std::unordered_set<CubeId> ids{{1}, {2}, {1}};
    EXPECT_EQ(ids.size(), 2u);
    EXPECT_TRUE(ids.contains(CubeId{2}));
}

}  // namespace
}  // namespace caribou
