#include "wire/camera_image.hpp"

#include <cmath>
#include <string_view>

#include "base/check.hpp"

namespace caribou::wire {
namespace {

constexpr std::byte jpeg_kind{1};
constexpr std::byte problem_kind{2};
constexpr std::size_t header = 9;

bool is_jpeg(ByteView bytes) {
    const auto is = [&](std::size_t at, unsigned value) {
        return std::to_integer<unsigned>(bytes[at]) == value;
    };
    const std::size_t size = bytes.size();
    return size >= 4 && is(0, 0xff) && is(1, 0xd8) && is(size - 2, 0xff) && is(size - 1, 0xd9);
}

/// Returns the first bytes of a text in UTF-8, without a part of a character.
std::string_view cut_text(std::string_view text, std::size_t most) {
    if (text.size() <= most) return text;
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0U) == 0x80U) --most;
    return text.substr(0, most);
}

}  // namespace

Bytes encode_camera_image(const CameraImage& image) {
    check(image.jpeg.size() <= CameraImage::max_jpeg, "an image of a camera has at most max_jpeg bytes");
    Bytes bytes{image.jpeg.empty() ? problem_kind : jpeg_kind};
    append_le(bytes, image.time);
    if (image.jpeg.empty())
        append(bytes, bytes_of(cut_text(image.problem, CameraImage::max_problem)));
    else
        append(bytes, image.jpeg);
    return bytes;
}

Result<CameraImage> decode_camera_image(ByteView bytes) {
    if (bytes.size() < header) return fail(Code::malformed, "an image of a camera has at least 9 bytes");
    CameraImage image{.time = load_le<double>(bytes.data() + 1)};
    if (!std::isfinite(image.time) || image.time < 0)
        return fail(Code::malformed, "the time of an image is not a positive number");
    const ByteView rest = bytes.subspan(header);
    if (bytes[0] == problem_kind) {
        if (rest.empty() || rest.size() > CameraImage::max_problem)
            return fail(Code::limit_exceeded, "a text instead of an image has 1 to 500 bytes");
        image.problem = text_of(rest);
        return image;
    }
    if (bytes[0] != jpeg_kind) return fail(Code::malformed, "unknown kind of an image of a camera");
    if (rest.size() > CameraImage::max_jpeg)
        return fail(Code::limit_exceeded, "an image of a camera has more than 256 KiB");
    if (!is_jpeg(rest)) return fail(Code::malformed, "an image of a camera is not a JPEG");
    image.jpeg.assign(rest.begin(), rest.end());
    return image;
}

}  // namespace caribou::wire
