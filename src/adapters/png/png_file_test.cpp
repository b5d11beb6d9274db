#include "adapters/png/png_file.hpp"

#include <gtest/gtest.h>
#include <png.h>

#include "platform/temporary_folder.hpp"

namespace caribou {
namespace {

TEST(PngFile, ReadsBackAsTheSamePixels) {
    const TemporaryFolder folder;
    Image image{.width = 5, .height = 3};
    for (std::uint8_t i = 0; i < 15; ++i) image.pixels.push_back({i, static_cast<std::uint8_t>(255 - i), 7});
    const std::string path = folder / "picture.png";
    ASSERT_TRUE(write_png(path, image).has_value());
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    ASSERT_NE(png_image_begin_read_from_file(&png, path.c_str()), 0) << png.message;
    png.format = PNG_FORMAT_RGB;
    ASSERT_EQ(png.width, 5U);
    ASSERT_EQ(png.height, 3U);
    std::vector<Pixel> pixels(15);
    ASSERT_NE(png_image_finish_read(&png, nullptr, pixels.data(), 0, nullptr), 0) << png.message;
    EXPECT_EQ(pixels, image.pixels);
}

TEST(PngFile, SaysWhyItCannotBeWritten) {
    const TemporaryFolder folder;
    const auto written = write_png(folder / "no/picture.png", {1, 1, {Pixel{}}});
    ASSERT_FALSE(written.has_value());
    EXPECT_TRUE(written.error().message.ends_with("no such file or directory")) << written.error().message;
}

}  // namespace
}  // namespace caribou
