#pragma once

#include <string>

#include "base/canvas.hpp"
#include "base/result.hpp"

namespace caribou {

/// Writes an image as a PNG file. Fails with io, with the path and the system's message.
Result<void> write_png(const std::string& path, const Image& image);

}  // namespace caribou
