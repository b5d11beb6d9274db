#include <cstddef>
#include <cstdint>
#include <span>

#include "base/check.hpp"
#include "wire/camera_image.hpp"
#include "wire/jpeg_splitter.hpp"

/// Splits arbitrary bytes, in two parts. Every byte is in an image, skipped or kept, and the images are those
/// of the whole. The same bytes as an image of a camera are refused, or written as they were read.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    using namespace caribou::wire;
    const ByteView bytes = std::as_bytes(std::span(data, size));
    JpegSplitter whole;
    const auto images = whole.add(bytes);
    std::size_t inside = 0;
    for (const Bytes& image : images) {
        check(image.size() <= JpegSplitter::max_image, "an image has at most max_image bytes");
        inside += image.size();
    }
    check(inside + whole.skipped() + whole.kept() == size, "no byte is lost");
    JpegSplitter parts;
    auto first = parts.add(bytes.first(size / 2));
    for (Bytes& image : parts.add(bytes.subspan(size / 2))) first.push_back(std::move(image));
    check(first == images, "the images do not depend on how the stream is cut");
    if (const auto image = decode_camera_image(bytes))
        check(decode_camera_image(encode_camera_image(*image)) == *image, "what was read can be written");
    return 0;
}
