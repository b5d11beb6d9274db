#include "adapters/png/png_file.hpp"

#include <cerrno>

#include <fmt/format.h>
#include <png.h>

#include "platform/system_error.hpp"

namespace caribou {

static_assert(sizeof(Pixel) == 3, "rows of pixels go to libpng as they are");

Result<void> write_png(const std::string& path, const Image& image) {
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    png.width = static_cast<png_uint_32>(image.width);
    png.height = static_cast<png_uint_32>(image.height);
    png.format = PNG_FORMAT_RGB;
    errno = 0;
    const int written = png_image_write_to_file(&png, path.c_str(), 0, image.pixels.data(), 0, nullptr);
    if (written != 0) return {};
    const std::string reason = errno != 0 ? system_words(errno) : png.message;
    png_image_free(&png);
    return fail(Code::io, fmt::format("{} cannot be written: {}", path, reason));
}

}  // namespace caribou
