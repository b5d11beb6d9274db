#include "wire/camera_image.hpp"

#include <cmath>
#include <optional>
#include <string>

#include <gtest/gtest.h>

namespace caribou::wire {
namespace {

Bytes some_jpeg(std::size_t size = 100) {
    Bytes bytes(size);
    bytes[0] = bytes[size - 2] = std::byte{0xff};
    bytes[1] = std::byte{0xd8};
    bytes[size - 1] = std::byte{0xd9};
    return bytes;
}

TEST(CameraImage, IsReadAsItWasWritten) {
    for (const CameraImage& image : {CameraImage{.time = 1767225600.25, .jpeg = some_jpeg()},
                                     CameraImage{.time = 3, .problem = "this robot has no camera"},
                                     CameraImage{.time = 3, .jpeg = some_jpeg(CameraImage::max_jpeg)}}) {
        const auto read = decode_camera_image(encode_camera_image(image));
        ASSERT_TRUE(read.has_value());
        EXPECT_EQ(*read, image);
    }
}

TEST(CameraImage, HasTheBytesOfItsFormat) {
    const Bytes bytes = encode_camera_image({.time = 2.0, .problem = "no"});
    EXPECT_EQ(bytes,
              (Bytes{std::byte{2}, std::byte{0}, std::byte{0}, std::byte{0}, std::byte{0}, std::byte{0},
                     std::byte{0}, std::byte{0}, std::byte{0x40}, std::byte{'n'}, std::byte{'o'}}));
}

TEST(CameraImage, IsRefusedIfItIsMalformedOrTooLarge) {
    const auto code_of = [](const Bytes& bytes) {
        const auto read = decode_camera_image(bytes);
        return read ? std::nullopt : std::optional(read.error().code);
    };
    const Bytes good = encode_camera_image({.time = 2, .jpeg = some_jpeg()});
    EXPECT_EQ(code_of(Bytes(good.begin(), good.begin() + 8)), Code::malformed);
    Bytes large = good;
    large.insert(large.begin() + 20, CameraImage::max_jpeg, std::byte{});
    EXPECT_EQ(code_of(large), Code::limit_exceeded);
    Bytes not_jpeg = good;
    not_jpeg.back() = std::byte{};
    EXPECT_EQ(code_of(not_jpeg), Code::malformed);
    Bytes unknown = good;
    unknown[0] = std::byte{9};
    EXPECT_EQ(code_of(unknown), Code::malformed);
    for (const double time : {-1.0, static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
        Bytes wrong = good;
        store_le(wrong.data() + 1, time);
        EXPECT_EQ(code_of(wrong), Code::malformed) << time;
    }
    Bytes silent = encode_camera_image({.time = 2, .problem = "x"});
    silent.pop_back();
    EXPECT_EQ(code_of(silent), Code::limit_exceeded);
}

TEST(CameraImage, CutsALongTextBetweenCharacters) {
    std::string text(CameraImage::max_problem - 1, 'x');
    const auto read = decode_camera_image(encode_camera_image({.time = 2, .problem = text + "ä"}));
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->problem, text);
}

}  // namespace
}  // namespace caribou::wire
