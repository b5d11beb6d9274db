#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/geometry.hpp"

namespace caribou {

struct Pixel {
    std::uint8_t red = 0;
    std::uint8_t green = 0;
    std::uint8_t blue = 0;

    friend bool operator==(const Pixel&, const Pixel&) = default;
};

/// An image, stored row by row from the top.
struct Image {
    std::size_t width = 0;
    std::size_t height = 0;
    std::vector<Pixel> pixels{};

    Pixel& at(std::size_t column, std::size_t row) { return pixels[row * width + column]; }
    const Pixel& at(std::size_t column, std::size_t row) const { return pixels[row * width + column]; }
};

/// Draws on a rectangle of the floor. Coordinates are in meters and y grows upward. Shapes are clipped to the
/// rectangle.
class Canvas {
public:
    Canvas(Vec2 low, Vec2 high, double pixels_per_metre, Pixel ground);

    void box(Vec2 low, Vec2 high, Pixel color);
    void disc(Vec2 at, double radius, Pixel color);
    void line(Vec2 from, Vec2 to, double width, Pixel color);
    const Image& image() const { return image_; }

private:
    /// Colors every pixel between the two corners whose center satisfies `inside`.
    template <class Inside>
    void fill(Vec2 low, Vec2 high, Pixel color, Inside inside);

    Vec2 low_;
    double scale_;
    Image image_;
};

}  // namespace caribou
