#pragma once

// The colors of what a camera sees. Private to world.

#include <array>
#include <cstddef>

#include "base/geometry.hpp"
#include "world/camera_scene.hpp"

namespace caribou::world {

/// Red, green and blue light, from 0; 1 is the brightest that a pixel can show.
struct Shade {
    float red = 0;
    float green = 0;
    float blue = 0;

    friend Shade operator+(Shade a, Shade b) { return {a.red + b.red, a.green + b.green, a.blue + b.blue}; }
    friend Shade operator*(Shade a, float k) { return {a.red * k, a.green * k, a.blue * k}; }
    friend Shade operator*(Shade a, Shade b) { return {a.red * b.red, a.green * b.green, a.blue * b.blue}; }
};
inline Shade mixed(Shade a, Shade b, float share) { return a * (1 - share) + b * share; }
Shade shade_of(Pixel pixel);
Pixel pixel_of(Shade shade);

/// Returns the background above the horizon; `up` is 0 there and 1 at the top of the image.
Shade sky(float up);
/// Returns the share of the haze in a color that is seen from a distance.
float haze_at(double distance);
Shade hazy(Shade color, float share);
/// Returns how much light a vertical surface with that unit normal receives.
float lit(Vec2 normal);

/// Returns the color of a vertical surface at a point: `along` is its distance from the left end and `up`
/// that from the floor, in meters. `blur` is the size of a pixel there: finer details are left out.
Shade face_color(const CameraScene::Face& face, double along, double up, double blur);
/// Returns the color of a round thing. `turn` is the angle of the point on its rim, relative to its heading,
/// `up` its height above the floor.
Shade pillar_color(const CameraScene::Pillar& pillar, double turn, double up);
/// Returns the color of a floor without anything on it.
Shade floor_color(Vec2 at, double blur);
Shade charger_color(const Pose& charger, Vec2 at, Shade floor);

}  // namespace caribou::world
