#include "station/route.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::station {
namespace {

using testing::HasSubstr;

TEST(Route, IsReadAndWritten) {
    const auto route = read_route(
        "name = \"patrol\"\npoints = [[1.0, 2.0], [-3, 4.5]]\nrounds = 0\nlevel = 3\nnear = 0.3\n", "r.toml");
    ASSERT_TRUE(route) << route.error().message;
    EXPECT_EQ(*route, (Route{"patrol", {{1, 2}, {-3, 4.5}}, 0, 3, 0.3}));
    EXPECT_EQ(read_route(to_string(*route), "r.toml"), *route);
}

TEST(Route, SaysAllThatIsWrongAtOnceWithItsLine) {
    const auto route = read_route("poits = 1\nlevel = 9\npoints = [[1, 2], [3], [1e9, 0]]\n", "r.toml");
    ASSERT_FALSE(route);
    EXPECT_EQ(route.error().message,
              "r.toml:1:1: there is no key `poits`; did you mean `points`?\n"
              "r.toml:2:9: level should be a whole number from 1 to 3\n"
              "r.toml:3:19: a point should be [x, y] in meters, each at most 1000 from the origin\n"
              "r.toml:3:24: a point should be [x, y] in meters, each at most 1000 from the origin");
    EXPECT_THAT(read_route("", "r.toml").error().message, HasSubstr("a route needs `points"));
}

TEST(Route, IsRefusedWithOneMessageIfItIsNewer) {
    EXPECT_EQ(read_route("version = 1\npoints = [[1, 2]]\n", "r.toml")->points.size(), 1U);
    EXPECT_EQ(read_route("version = 2\nlegs = 3\n", "r.toml").error().message,
              "r.toml:1:11: version 2 of routes is newer than this program, which reads version 1");
    EXPECT_EQ(read_route("version = \"1\"\npoints = [[1, 2]]\n", "r.toml").error().message,
              "r.toml:1:11: version should be 1");
}

TEST(Route, HasPointsAsOnACommandLine) {
    EXPECT_EQ(read_point("1.5,-2").value(), (Vec2{1.5, -2}));
    for (const char* text : {"", "1", "1,", "a,b", "1,2,3", "nan,0"})
        EXPECT_THAT(read_point(text).error().message, HasSubstr("is not a point")) << text;
    EXPECT_EQ(read_point("0,1500").error().message,
              "`0,1500` is too far away: each coordinate is at most 1000 m from the origin");
}

}  // namespace
}  // namespace caribou::station
