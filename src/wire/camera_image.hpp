#pragma once

#include <cstddef>
#include <string>

#include "base/bytes.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"

namespace caribou::wire {

/// One image of a robot's camera, or the reason why there is none (docs/formats/camera.md).
struct CameraImage {
    static constexpr std::size_t max_jpeg = 256_KiB;
    static constexpr std::size_t max_problem = 500;  ///< bytes of a text

    double time = 0;        ///< UNIX seconds
    Bytes jpeg{};           ///< empty: there is no image
    std::string problem{};  ///< why there is none, for people

    friend bool operator==(const CameraImage&, const CameraImage&) = default;
};

/// Encodes an image of at most max_jpeg bytes. A longer text is truncated.
Bytes encode_camera_image(const CameraImage& image);
/// Fails with malformed, or with limit_exceeded if it is too large. It checks the begin and the end of the
/// JPEG, not its content.
Result<CameraImage> decode_camera_image(ByteView bytes);

}  // namespace caribou::wire
