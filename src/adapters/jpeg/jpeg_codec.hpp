#pragma once

#include <cstddef>

#include "base/bytes.hpp"
#include "base/canvas.hpp"
#include "base/result.hpp"

namespace caribou {

/// How an image is encoded as a JPEG.
struct JpegForm {
    bool half = false;  ///< of the width and height
    bool gray = false;  ///< without color
    int quality = 75;   ///< 1 to 100
};

/// Encodes an image. Fails with unavailable if the library refuses it.
Result<Bytes> encode_jpeg(const Image& image, const JpegForm& form);

/// Decodes an image. Fails with malformed if it is not a baseline JPEG, with limit_exceeded beyond
/// max_jpeg_pixels.
Result<Image> decode_jpeg(ByteView jpeg);

/// Returns an image of a camera in that form, with at most `limit` bytes: unchanged if it is like that
/// already, and complete, otherwise encoded anew, smaller if that is necessary. Fails as decode_jpeg() does.
Result<Bytes> convert_jpeg(ByteView jpeg, const JpegForm& form, std::size_t limit);

inline constexpr std::size_t max_jpeg_pixels = 2048 * 2048;

}  // namespace caribou
