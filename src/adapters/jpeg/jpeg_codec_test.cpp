#include "adapters/jpeg/jpeg_codec.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace caribou {
namespace {

constexpr Pixel orange{230, 120, 30};

Image plain(std::size_t width, std::size_t height, Pixel color = orange) {
    return {width, height, std::vector<Pixel>(width * height, color)};
}

Image noise(std::size_t width, std::size_t height) {
    Random random(4);
    Image image = plain(width, height);
    for (Pixel& pixel : image.pixels) {
        const std::uint64_t bits = random.next();
        pixel = {static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(bits >> 8),
                 static_cast<std::uint8_t>(bits >> 16)};
    }
    return image;
}

bool is_near(Pixel a, Pixel b) {
    return std::abs(a.red - b.red) < 8 && std::abs(a.green - b.green) < 8 && std::abs(a.blue - b.blue) < 8;
}

TEST(JpegCodec, DecodesWhatItEncoded) {
    const auto jpeg = encode_jpeg(plain(320, 240), {});
    ASSERT_TRUE(jpeg.has_value());
    const auto image = decode_jpeg(*jpeg);
    ASSERT_TRUE(image.has_value());
    EXPECT_EQ(image->width, 320U);
    EXPECT_EQ(image->height, 240U);
    for (const Pixel pixel : image->pixels) ASSERT_TRUE(is_near(pixel, orange));
}

TEST(JpegCodec, EncodesHalfAndGray) {
    const auto half = decode_jpeg(*encode_jpeg(plain(320, 240), {.half = true}));
    ASSERT_TRUE(half.has_value());
    EXPECT_EQ(half->width, 160U);
    EXPECT_EQ(half->height, 120U);
    EXPECT_TRUE(is_near(half->at(80, 60), orange));
    const auto gray = decode_jpeg(*encode_jpeg(plain(320, 240), {.half = true, .gray = true}));
    ASSERT_TRUE(gray.has_value());
    EXPECT_EQ(gray->width, 160U);
    const Pixel pixel = gray->at(80, 60);
    EXPECT_TRUE(pixel.red == pixel.green && pixel.green == pixel.blue);
}

TEST(JpegCodec, LeavesAnImageThatFitsAsItIs) {
    const auto jpeg = encode_jpeg(plain(320, 240), {});
    EXPECT_EQ(*convert_jpeg(*jpeg, {}, 100'000), *jpeg);
}

TEST(JpegCodec, ConvertsToHalfAndGray) {
    const auto jpeg = encode_jpeg(plain(640, 480), {});
    const auto half = decode_jpeg(*convert_jpeg(*jpeg, {.half = true}, 100'000));
    ASSERT_TRUE(half.has_value());
    EXPECT_EQ(half->width, 320U);
    EXPECT_TRUE(is_near(half->at(100, 100), orange));
    const auto gray = convert_jpeg(*jpeg, {.half = true, .gray = true}, 100'000);
    ASSERT_TRUE(gray.has_value());
    EXPECT_LT(gray->size(), jpeg->size());
}

TEST(JpegCodec, MakesAnImageSmallerUntilItFits) {
    const auto jpeg = encode_jpeg(noise(640, 480), {.quality = 95});
    ASSERT_GT(jpeg->size(), 100'000U);
    const auto fitting = convert_jpeg(*jpeg, {}, 30'000);
    ASSERT_TRUE(fitting.has_value());
    EXPECT_LE(fitting->size(), 30'000U);
    EXPECT_FALSE(convert_jpeg(*jpeg, {}, 100).has_value());
}

TEST(JpegCodec, EncodesAnewWhatHasNoTables) {
    // As USB cameras send it: without the segments DHT.
    const Bytes whole = *encode_jpeg(plain(320, 240), {});
    Bytes without(whole.begin(), whole.begin() + 2);
    for (std::size_t at = 2; whole[at + 1] != std::byte{0xda};) {
        const std::size_t size = 2 + (std::to_integer<std::size_t>(whole[at + 2]) << 8 |
                                      std::to_integer<std::size_t>(whole[at + 3]));
        const auto from = whole.begin() + static_cast<std::ptrdiff_t>(at);
        if (whole[at + 1] != std::byte{0xc4})
            without.insert(without.end(), from, from + static_cast<std::ptrdiff_t>(size));
        at += size;
        if (whole[at + 1] == std::byte{0xda})
            without.insert(without.end(), from + static_cast<std::ptrdiff_t>(size), whole.end());
    }
    ASSERT_LT(without.size(), whole.size());
    const auto converted = convert_jpeg(without, {}, 100'000);
    ASSERT_TRUE(converted.has_value()) << converted.error().message;
    EXPECT_GT(converted->size(), without.size());
    EXPECT_TRUE(is_near(decode_jpeg(*converted)->at(100, 100), orange));
}

TEST(JpegCodec, RefusesWhatIsNoImage) {
    const auto wrong = convert_jpeg(bytes_of("not an image"), {.half = true}, 1000);
    ASSERT_FALSE(wrong.has_value());
    EXPECT_EQ(wrong.error().code, Code::malformed);
    EXPECT_FALSE(decode_jpeg({}).has_value());
}

TEST(JpegCodec, RefusesAnImageOfTooManyPixels) {
    Bytes jpeg = *encode_jpeg(plain(64, 64), {});
    // The size is in the segment SOF0.
    for (std::size_t i = 0; i + 9 < jpeg.size(); ++i)
        if (jpeg[i] == std::byte{0xff} && jpeg[i + 1] == std::byte{0xc0})
            for (const std::size_t at : {i + 5, i + 7}) jpeg[at] = std::byte{0x7f};
    const auto large = decode_jpeg(jpeg);
    ASSERT_FALSE(large.has_value());
    EXPECT_EQ(large.error().code, Code::limit_exceeded);
}

}  // namespace
}  // namespace caribou
