#pragma once

#include <string>

#include "base/canvas.hpp"
#include "base/result.hpp"

namespace caribou {

/// Writes an image as a PNG file. io: the system's reason, with the path.
Result<void> write_png(const std::string& path, const Image& image);

}  // namespace caribou
