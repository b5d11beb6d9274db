#include "marine/cell_grid.hpp"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "marine/shape.hpp"

namespace caribou::marine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

const std::vector<Vec2> square{{0, 0}, {40, 0}, {40, 40}, {0, 40}};

Result<CellGrid> grid(const std::string& fields, const std::vector<Vec2>& polygon = square,
                      double size = 20) {
    return CellGrid::make(polygon, size, fields_in(fields));
}
std::string why(const std::string& fields, const std::vector<Vec2>& polygon = square, double size = 20) {
    const auto made = grid(fields, polygon, size);
    return made ? "accepted" : made.error().message;
}

TEST(CellGrid, NumbersTheCellsFromTheSouthWest) {
    EXPECT_THAT(grid("")->cells(), ElementsAre(Vec2{10, 10}, Vec2{10, 30}, Vec2{30, 10}, Vec2{30, 30}));
}

TEST(CellGrid, HasTheCellsThatOverlapItsPolygon) {
    const auto triangle = grid("", {{0, 0}, {40, 0}, {0, 40}}, 10);
    EXPECT_EQ(triangle->cells().size(), 10U);
    EXPECT_EQ(grid("", {{0, 0}, {45, 0}, {45, 10}, {0, 10}}, 10)->cells().size(), 5U);
    EXPECT_EQ(grid("", {{0, 0}, {10, 10}})->cells().size(), 0U);
}

/// Each point of a polygon lies in a cell.
TEST(CellGrid, CoversArbitraryConvexPolygons) {
    Random random(7);
    for (int round = 0; round < 200; ++round) {
        std::vector<Vec2> polygon;
        double angle = 0;
        while ((angle += 0.2 + random.unit() * 2) < 6.28)
            polygon.push_back({50 * std::cos(angle), 50 * std::sin(angle)});
        if (polygon.size() < 3) continue;
        const auto made = grid("", polygon, 7);
        ASSERT_TRUE(made);
        for (int sample = 0; sample < 50; ++sample) {
            Vec2 p{};
            double total = 0;
            for (const Vec2 vertex : polygon) {
                const double weight = random.unit() + 1e-6;
                p = p + vertex * weight;
                total += weight;
            }
            p = p * (1 / total);
            const auto holds = [&](Vec2 cell) {
                return std::abs(cell.x - p.x) <= 3.5 + 1e-9 && std::abs(cell.y - p.y) <= 3.5 + 1e-9;
            };
            EXPECT_TRUE(std::ranges::any_of(made->cells(), holds)) << p.x << " " << p.y;
        }
    }
}

TEST(CellGrid, KeepsValuesOfSeveralVariablesWithinTheirLimits) {
    auto made = grid("cell_vars=x:0:y:5,cell_min=x:0,cell_max=x:50,cell=2:x:7:y:3,cell=3:x:80");
    ASSERT_TRUE(made);
    EXPECT_EQ(made->name(), "x");
    EXPECT_THAT(made->values(), ElementsAre(0, 0, 7, 50));
    EXPECT_THAT(made->range(), Pair(0, 50));
    EXPECT_EQ(made->to_text(), "cell_vars=x:0:y:5,cell_min=x:0,cell_max=x:50,cell=2:x:7:y:3,cell=3:x:50");
    const auto unlimited = grid("init_val=2,cell=0:9,cell=1:-1");
    EXPECT_THAT(unlimited->values(), ElementsAre(9, -1, 2, 2));
    EXPECT_THAT(unlimited->range(), Pair(-1, 9));
    EXPECT_EQ(grid(unlimited->to_text()), unlimited);
}

TEST(CellGrid, ChangesAddReplaceOrAverage) {
    auto made = grid("cell_vars=x:1:y:0");
    ASSERT_TRUE(made);
    EXPECT_THAT(made->apply("0,x,2:3,x,4:3,y,1").value(), ElementsAre(0, 3, 3));
    EXPECT_THAT(made->values(), ElementsAre(3, 1, 1, 5));
    EXPECT_TRUE(made->apply("replace@0,x,9"));
    EXPECT_TRUE(made->apply("avg@3,x,1"));
    EXPECT_THAT(made->values(), ElementsAre(9, 1, 1, 3));
    auto plain = grid("init_val=0");
    EXPECT_TRUE(plain->apply("delta@1,2.5"));
    EXPECT_THAT(plain->values(), ElementsAre(0, 2.5, 0, 0));
}

TEST(CellGrid, OneMalformedChangeRefusesAll) {
    auto made = grid("cell_vars=x:0");
    for (const char* text : {"0,x,1:4,x,1", "0,x,1:1,z,1", "0,x,1:1,1", "0,x,one", "0,x,1:0.5,x,1",
                             "0,x,1:-1,x,1", "more@0,x,1", "0,x,inf"}) {
        EXPECT_FALSE(made->apply(text)) << text;
        EXPECT_THAT(made->values(), ElementsAre(0, 0, 0, 0)) << text;
    }
}

TEST(CellGrid, RefusalsSayWhy) {
    EXPECT_EQ(why("", square, 0.1), "more than 10000 cells");
    EXPECT_EQ(why("", square, 0), "expected cell_size above 0");
    EXPECT_EQ(why("", std::vector<Vec2>(1001)), "more than 1000 vertices of a grid");
    EXPECT_EQ(why("cell=4:1"), "there is no cell in `4:1`; cells: 4");
    EXPECT_EQ(why("cell_vars=x:0,cell=1:y:2"), "expected cell=index:VAR:number in `1:y:2`");
    EXPECT_EQ(why("cell_vars=x"), "expected cell_vars=VAR:number[:VAR:number]…");
    EXPECT_EQ(why("cell_vars=x:0:x:1"), "two variables `x`");
    EXPECT_EQ(why("init_val=red"), "`init_val` is not a number");
}

}  // namespace
}  // namespace caribou::marine
