#include "adapters/jpeg/jpeg_codec.hpp"

#include <turbojpeg.h>

#include <array>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "base/check.hpp"

namespace caribou {
namespace {

struct EndSession {
    void operator()(void* session) const { tjDestroy(session); }
};
using Session = std::unique_ptr<void, EndSession>;

struct FreeBuffer {
    void operator()(unsigned char* buffer) const { tjFree(buffer); }
};

static_assert(sizeof(Pixel) == 3 && std::is_trivially_copyable_v<Pixel>, "pixels are passed as they are");

const unsigned char* raw(const void* bytes) { return static_cast<const unsigned char*>(bytes); }

std::unexpected<Error> refused(Code code, std::string_view what, const Session& session) {
    return fail(code, fmt::format("{}: {}", what, tjGetErrorStr2(session.get())));
}

/// Pixels as they are passed to the library: three bytes each, or one without color.
struct Raster {
    int width = 0;
    int height = 0;
    bool gray = false;
    std::vector<unsigned char> bytes{};
};

Result<Bytes> compress(const unsigned char* pixels, int width, int height, int format, const JpegForm& form) {
    const Session session(tjInitCompress());
    if (!session) return fail(Code::unavailable, "libjpeg-turbo cannot be initialized");
    unsigned char* buffer = nullptr;
    unsigned long size = 0;
    const bool is_gray = form.gray || format == TJPF_GRAY;
    const int done = tjCompress2(session.get(), pixels, width, 0, height, format, &buffer, &size,
                                 is_gray ? TJSAMP_GRAY : TJSAMP_420, form.quality, TJFLAG_FASTDCT);
    const std::unique_ptr<unsigned char, FreeBuffer> owner(buffer);
    if (done != 0) return refused(Code::unavailable, "the image cannot be encoded", session);
    const auto* const first = reinterpret_cast<const std::byte*>(buffer);
    return Bytes(first, first + size);
}

Image halved(const Image& image) {
    Image half{image.width / 2, image.height / 2, {}};
    half.pixels.reserve(half.width * half.height);
    for (std::size_t row = 0; row < half.height; ++row)
        for (std::size_t column = 0; column < half.width; ++column) {
            const std::array<Pixel, 4> four{image.at(2 * column, 2 * row), image.at(2 * column + 1, 2 * row),
                                            image.at(2 * column, 2 * row + 1),
                                            image.at(2 * column + 1, 2 * row + 1)};
            unsigned red = 2;
            unsigned green = 2;
            unsigned blue = 2;
            for (const Pixel pixel : four) {
                red += pixel.red;
                green += pixel.green;
                blue += pixel.blue;
            }
            half.pixels.push_back({static_cast<std::uint8_t>(red / 4), static_cast<std::uint8_t>(green / 4),
                                   static_cast<std::uint8_t>(blue / 4)});
        }
    return half;
}

/// What the segments before the image data have.
struct Segments {
    bool tables = false;  ///< that browsers need; images of USB cameras leave them out
    bool progressive = false;
};

Segments segments_of(ByteView jpeg) {
    Segments found;
    for (std::size_t at = 2; at + 4 <= jpeg.size() && jpeg[at] == std::byte{0xff};) {
        const auto marker = std::to_integer<unsigned>(jpeg[at + 1]);
        if (marker == 0xda) break;
        if (marker == 0xc4) found.tables = true;
        if (marker == 0xc2) found.progressive = true;
        at += 2 +
              (std::to_integer<std::size_t>(jpeg[at + 2]) << 8 | std::to_integer<std::size_t>(jpeg[at + 3]));
    }
    return found;
}

/// Decodes to the size divided by 1, 2, 4 or 8.
Result<Raster> raster_of(ByteView jpeg, int divided_by, bool gray) {
    // Takes arbitrarily long to decode, and no camera sends it.
    if (segments_of(jpeg).progressive)
        return fail(Code::malformed, "a progressive JPEG; expected a baseline JPEG");
    const Session session(tjInitDecompress());
    if (!session) return fail(Code::unavailable, "libjpeg-turbo cannot be initialized");
    Raster raster{.gray = gray};
    int sampling = 0;
    int colors = 0;
    if (tjDecompressHeader3(session.get(), raw(jpeg.data()), jpeg.size(), &raster.width, &raster.height,
                            &sampling, &colors) != 0)
        return refused(Code::malformed, "not a JPEG", session);
    if (static_cast<std::size_t>(raster.width) * static_cast<std::size_t>(raster.height) > max_jpeg_pixels)
        return fail(Code::limit_exceeded,
                    fmt::format("an image of {}x{} pixels is too large; expected at most 2048x2048",
                                raster.width, raster.height));
    const tjscalingfactor scale{1, divided_by};
    raster.width = TJSCALED(raster.width, scale);
    raster.height = TJSCALED(raster.height, scale);
    raster.bytes.resize(static_cast<std::size_t>(raster.width) * static_cast<std::size_t>(raster.height) *
                        (gray ? 1 : 3));
    const int done =
        tjDecompress2(session.get(), raw(jpeg.data()), jpeg.size(), raster.bytes.data(), raster.width, 0,
                      raster.height, gray ? TJPF_GRAY : TJPF_RGB, TJFLAG_FASTDCT | TJFLAG_LIMITSCANS);
    // A warning leaves a picture, such as one whose end is missing.
    if (done != 0 && tjGetErrorCode(session.get()) != TJERR_WARNING)
        return refused(Code::malformed, "the JPEG cannot be decoded", session);
    return raster;
}

}  // namespace

Result<Bytes> encode_jpeg(const Image& image, const JpegForm& form) {
    check(image.pixels.size() == image.width * image.height, "an image has width times height pixels");
    const Image smaller = form.half ? halved(image) : Image{};
    const Image& shown = form.half ? smaller : image;
    return compress(raw(shown.pixels.data()), static_cast<int>(shown.width), static_cast<int>(shown.height),
                    TJPF_RGB, form);
}

Result<Image> decode_jpeg(ByteView jpeg) {
    auto raster = raster_of(jpeg, 1, false);
    if (!raster) return fail(std::move(raster.error()));
    Image image{static_cast<std::size_t>(raster->width), static_cast<std::size_t>(raster->height), {}};
    image.pixels.reserve(image.width * image.height);
    for (std::size_t i = 0; i < image.width * image.height; ++i)
        image.pixels.push_back({raster->bytes[3 * i], raster->bytes[3 * i + 1], raster->bytes[3 * i + 2]});
    return image;
}

Result<Bytes> convert_jpeg(ByteView jpeg, const JpegForm& form, std::size_t limit) {
    if (!form.half && !form.gray && jpeg.size() <= limit && segments_of(jpeg).tables)
        return Bytes(jpeg.begin(), jpeg.end());
    for (const int divided_by : {1, 2, 4, 8}) {
        if (form.half && divided_by == 1) continue;
        const auto raster = raster_of(jpeg, divided_by, form.gray);
        if (!raster) return fail(raster.error());
        auto encoded = compress(raster->bytes.data(), raster->width, raster->height,
                                raster->gray ? TJPF_GRAY : TJPF_RGB, form);
        if (!encoded || encoded->size() <= limit) return encoded;
    }
    return fail(Code::limit_exceeded,
                fmt::format("the image has more than {} bytes at an eighth of its size", limit));
}

}  // namespace caribou
