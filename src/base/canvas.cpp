#include "base/canvas.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"

namespace caribou {
namespace {

std::size_t pixels(double metres, double scale) {
    return static_cast<std::size_t>(std::max(1.0, std::ceil(metres * scale - 1e-9)));
}

}  // namespace

Canvas::Canvas(Vec2 low, Vec2 high, double pixels_per_metre, Pixel ground)
    : low_(low),
      scale_(pixels_per_metre),
      image_{.width = pixels(high.x - low.x, pixels_per_metre),
             .height = pixels(high.y - low.y, pixels_per_metre)} {
    check(image_.width * image_.height <= 100'000'000, "a canvas has at most a hundred million pixels");
    image_.pixels.assign(image_.width * image_.height, ground);
}

template <class Inside>
void Canvas::fill(Vec2 low, Vec2 high, Pixel color, Inside inside) {
    const auto clamped = [](double value, std::size_t size) {
        return static_cast<std::size_t>(std::clamp(value, 0.0, static_cast<double>(size)));
    };
    const std::size_t left = clamped(std::floor((low.x - low_.x) * scale_), image_.width);
    const std::size_t right = clamped(std::ceil((high.x - low_.x) * scale_), image_.width);
    const std::size_t bottom = clamped(std::floor((low.y - low_.y) * scale_), image_.height);
    const std::size_t top = clamped(std::ceil((high.y - low_.y) * scale_), image_.height);
    for (std::size_t row = bottom; row < top; ++row)
        for (std::size_t column = left; column < right; ++column) {
            const Vec2 middle{low_.x + (static_cast<double>(column) + 0.5) / scale_,
                              low_.y + (static_cast<double>(row) + 0.5) / scale_};
            if (inside(middle)) image_.at(column, image_.height - 1 - row) = color;
        }
}

void Canvas::box(Vec2 low, Vec2 high, Pixel color) {
    fill(low, high, color,
         [&](Vec2 at) { return at.x >= low.x && at.x <= high.x && at.y >= low.y && at.y <= high.y; });
}

void Canvas::disc(Vec2 at, double radius, Pixel color) {
    const Vec2 reach{radius, radius};
    fill(at - reach, at + reach, color, [&](Vec2 point) { return distance(point, at) <= radius; });
}

void Canvas::line(Vec2 from, Vec2 to, double width, Pixel color) {
    const Vec2 along = to - from;
    const double squared = dot(along, along);
    const Vec2 reach{width / 2, width / 2};
    const Vec2 low{std::min(from.x, to.x), std::min(from.y, to.y)};
    const Vec2 high{std::max(from.x, to.x), std::max(from.y, to.y)};
    fill(low - reach, high + reach, color, [&](Vec2 at) {
        const double share = squared > 0 ? std::clamp(dot(at - from, along) / squared, 0.0, 1.0) : 0;
        return distance(at, from + along * share) <= width / 2;
    });
}

}  // namespace caribou
