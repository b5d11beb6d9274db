#pragma once

#include <cstddef>

#include "base/canvas.hpp"
#include "world/camera_scene.hpp"

namespace caribou::world {

/// A pinhole camera that looks level.
struct CameraLens {
    std::size_t width = 320;
    std::size_t height = 240;
    double field_of_view = 1.22;  ///< rad, horizontal
    double horizon = 0.42;        ///< of the image height, from the top

    /// Returns the length in pixels of an object of 1 m at a distance of 1 m.
    double focal() const;
    /// Returns the row of the horizon, from the top.
    double horizon_row() const { return horizon * static_cast<double>(height); }
};

/// Renders what the camera sees, one ray per column of the image. The same scene gives the same image.
Image camera_view(const CameraScene& scene, const CameraLens& lens = {});

}  // namespace caribou::world
