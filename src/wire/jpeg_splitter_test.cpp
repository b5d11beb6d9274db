#include "wire/jpeg_splitter.hpp"

#include <initializer_list>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.hpp"

namespace caribou::wire {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Bytes bytes_from(std::initializer_list<unsigned> values) {
    Bytes bytes;
    for (const unsigned value : values) bytes.push_back(static_cast<std::byte>(value));
    return bytes;
}

/// The smallest stream that is shaped like an image: a comment that contains an end of image, a scan with a
/// stuffed byte and a restart marker, and the end.
Bytes small_image(unsigned content = 7) {
    return bytes_from({0xff, 0xd8, 0xff,    0xfe, 0,    6, 0xff, 0xd9, 0xff, 0xd8, 0xff, 0xda,
                       0,    3,    content, 0x12, 0xff, 0, 0x34, 0xff, 0xd0, 0x56, 0xff, 0xd9});
}

Bytes joined(std::initializer_list<Bytes> parts) {
    Bytes all;
    for (const Bytes& part : parts) append(all, part);
    return all;
}

TEST(JpegSplitter, ReturnsEachImageOfAStream) {
    JpegSplitter splitter;
    EXPECT_THAT(splitter.add(joined({small_image(1), small_image(2)})),
                ElementsAre(small_image(1), small_image(2)));
    EXPECT_EQ(splitter.skipped(), 0U);
    EXPECT_EQ(splitter.kept(), 0U);
}

TEST(JpegSplitter, DoesNotDependOnHowTheStreamIsCut) {
    JpegSplitter splitter;
    std::vector<Bytes> images;
    for (const std::byte byte : joined({small_image(1), bytes_from({1, 2, 0xff}), small_image(2)}))
        for (Bytes& image : splitter.add({&byte, 1})) images.push_back(std::move(image));
    EXPECT_THAT(images, ElementsAre(small_image(1), small_image(2)));
    EXPECT_EQ(splitter.skipped(), 3U);
}

TEST(JpegSplitter, SkipsTextBetweenImages) {
    JpegSplitter splitter;
    const ByteView text = bytes_of("--frame\r\nContent-Type: image/jpeg\r\n\r\n");
    EXPECT_THAT(splitter.add(joined({Bytes(text.begin(), text.end()), small_image()})),
                ElementsAre(small_image()));
    EXPECT_EQ(splitter.skipped(), text.size());
}

TEST(JpegSplitter, GoesOnAfterAnImageThatIsCutOff) {
    JpegSplitter splitter;
    Bytes cut = small_image(1);
    cut.resize(cut.size() - 2);
    EXPECT_THAT(splitter.add(joined({cut, small_image(2)})), ElementsAre(small_image(2)));
    EXPECT_EQ(splitter.skipped(), cut.size());
}

TEST(JpegSplitter, SkipsAnImageThatIsTooLarge) {
    JpegSplitter splitter;
    Bytes large = small_image();
    large.insert(large.begin() + 15, JpegSplitter::max_image, std::byte{0x11});
    EXPECT_THAT(splitter.add(large), IsEmpty());
    EXPECT_LE(splitter.kept(), JpegSplitter::max_image);
    EXPECT_THAT(splitter.add(small_image()), ElementsAre(small_image()));
    EXPECT_EQ(splitter.skipped(), large.size());
}

TEST(JpegSplitter, KeepsNothingOfAStreamWithoutImages) {
    JpegSplitter splitter;
    EXPECT_THAT(splitter.add(Bytes(3 * JpegSplitter::max_image, std::byte{0x20})), IsEmpty());
    EXPECT_EQ(splitter.kept(), 0U);
    EXPECT_EQ(splitter.skipped(), 3 * JpegSplitter::max_image);
}

TEST(JpegSplitter, TakesLittleTimeForManyFalseBegins) {
    // Quadratic work would take minutes.
    Bytes begins;
    while (begins.size() < 4 * JpegSplitter::max_image) append(begins, bytes_from({0xff, 0xd8}));
    JpegSplitter splitter;
    EXPECT_THAT(splitter.add(begins), IsEmpty());
    EXPECT_LE(splitter.kept(), 2U);
}

TEST(JpegSplitter, FindsTheImagesThatFollowAnyBytes) {
    Random random(3);
    for (int i = 0; i < 20; ++i) {
        JpegSplitter splitter;
        Bytes noise = bytes_from({0xff, 0xd8, 0xff});
        while (noise.size() < 50) noise.push_back(static_cast<std::byte>(random.next() & 0xffU));
        splitter.add(noise);
        // What looks like an image at first may take the beginning of the next one with it, but never all.
        std::size_t found = 0;
        for (int k = 0; k < 6000; ++k) found += splitter.add(small_image()).size();
        EXPECT_GT(found, 1000U);
    }
}

}  // namespace
}  // namespace caribou::wire
