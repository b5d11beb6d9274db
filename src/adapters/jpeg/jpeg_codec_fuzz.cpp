#include <cstddef>
#include <cstdint>
#include <span>

#include "adapters/jpeg/jpeg_codec.hpp"
#include "base/check.hpp"

/// Converts arbitrary bytes as an image of a camera. They are refused, or give an image within the limit.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    constexpr std::size_t limit = 65536;
    const ByteView bytes = std::as_bytes(std::span(data, size));
    for (const JpegForm& form : {JpegForm{}, JpegForm{.half = true}, JpegForm{.half = true, .gray = true}})
        if (const auto image = convert_jpeg(bytes, form, limit))
            check(image->size() <= limit, "an image has at most `limit` bytes");
    return 0;
}
