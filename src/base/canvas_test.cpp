#include "base/canvas.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace caribou {
namespace {

constexpr Pixel white{255, 255, 255};
constexpr Pixel red{255, 0, 0};

auto count(const Canvas& canvas, Pixel color) { return std::ranges::count(canvas.image().pixels, color); }

TEST(Canvas, DrawsUpwardsFromTheLowerLeftCorner) {
    Canvas canvas({-1, -1}, {1, 2}, 10, white);
    EXPECT_EQ(canvas.image().width, 20U);
    EXPECT_EQ(canvas.image().height, 30U);
    canvas.box({-1, -1}, {-0.5, -0.8}, red);
    EXPECT_EQ(count(canvas, red), 10);
    EXPECT_EQ(canvas.image().at(0, 29), red);
    EXPECT_EQ(canvas.image().at(0, 27), white);
}

TEST(Canvas, DrawsDiscsAndLines) {
    Canvas canvas({0, 0}, {10, 10}, 10, white);
    canvas.disc({5, 5}, 2, red);
    EXPECT_NEAR(static_cast<double>(count(canvas, red)), 3.14159 * 400, 20);
    Canvas lined({0, 0}, {10, 10}, 10, white);
    lined.line({1, 1}, {9, 9}, 0.5, red);
    EXPECT_NEAR(static_cast<double>(count(lined, red)), 11.3 * 0.5 * 100, 40);
}

TEST(Canvas, CutsOffWhatLiesOutside) {
    Canvas canvas({0, 0}, {1, 1}, 10, white);
    canvas.disc({-50, 3}, 2, red);
    canvas.box({-5, -5}, {5, 5}, red);
    EXPECT_EQ(count(canvas, red), 100);
}

}  // namespace
}  // namespace caribou
