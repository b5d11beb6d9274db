#include "wire/jpeg_splitter.hpp"

#include <algorithm>
#include <iterator>

namespace caribou::wire {
namespace {

constexpr std::byte mark{0xff};
constexpr std::byte begin_of_image{0xd8};
constexpr std::byte end_of_image{0xd9};
constexpr std::byte begin_of_scan{0xda};

/// Markers without a length: TEM and RST0 to RST7.
bool stands_alone(std::byte marker) {
    return marker == std::byte{0x01} || (marker >= std::byte{0xd0} && marker <= std::byte{0xd7});
}

}  // namespace

void JpegSplitter::find_begin(std::size_t from) {
    constexpr std::byte begin[] = {mark, begin_of_image, mark};
    const auto found = std::search(bytes_.begin() + static_cast<std::ptrdiff_t>(from), bytes_.end(),
                                   std::begin(begin), std::end(begin));
    auto next = static_cast<std::size_t>(found - bytes_.begin());
    if (found == bytes_.end()) {
        // The last bytes may be the beginning of it.
        const bool has_one = next > from && bytes_[next - 1] == mark;
        const bool has_two =
            next > from + 1 && bytes_[next - 2] == mark && bytes_[next - 1] == begin_of_image;
        next -= has_two ? 2 : has_one ? 1 : 0;
    }
    skipped_ += next - begin_;
    begin_ = at_ = next;
    in_scan_ = false;
}

/// Goes on to the end of the image as far as the bytes go. After `wrong`, what is before `at_` is not an
/// image.
JpegSplitter::Step JpegSplitter::look() {
    if (bytes_.size() - begin_ < 3) return Step::more;
    if (at_ == begin_) at_ = begin_ + 2;
    for (;;) {
        if (in_scan_) {
            const auto next =
                std::find(bytes_.begin() + static_cast<std::ptrdiff_t>(at_), bytes_.end(), mark);
            at_ = static_cast<std::size_t>(next - bytes_.begin());
        }
        if (at_ + 2 > bytes_.size()) return Step::more;
        const std::byte marker = bytes_[at_ + 1];
        if (bytes_[at_] != mark || (marker == begin_of_image && !in_scan_)) return Step::wrong;
        if (marker == mark) {  // a fill byte
            at_ += 1;
            continue;
        }
        if (in_scan_ && (marker == std::byte{} || stands_alone(marker))) {
            at_ += 2;
            continue;
        }
        in_scan_ = false;
        if (marker == end_of_image) {
            at_ += 2;
            return Step::image;
        }
        if (marker == std::byte{} || marker == begin_of_image) return Step::wrong;
        if (stands_alone(marker)) {
            at_ += 2;
            continue;
        }
        if (at_ + 4 > bytes_.size()) return Step::more;
        const std::size_t length = std::to_integer<std::size_t>(bytes_[at_ + 2]) << 8 |
                                   std::to_integer<std::size_t>(bytes_[at_ + 3]);
        if (length < 2) return Step::wrong;
        if (at_ + 2 + length > bytes_.size()) return Step::more;
        at_ += 2 + length;
        in_scan_ = marker == begin_of_scan;
    }
}

std::vector<Bytes> JpegSplitter::add(ByteView bytes) {
    std::vector<Bytes> images;
    while (!bytes.empty()) {
        // In parts, so that a large piece does not exceed the limit of one image.
        const std::size_t part = std::min(bytes.size(), max_image + 1 - kept());
        append(bytes_, bytes.first(part));
        bytes = bytes.subspan(part);
        if (at_ == begin_) find_begin(begin_);
        for (Step step = look(); step != Step::more; step = look()) {
            if (step == Step::image && at_ - begin_ <= max_image) {
                const auto first = bytes_.begin();
                images.emplace_back(first + static_cast<std::ptrdiff_t>(begin_),
                                    first + static_cast<std::ptrdiff_t>(at_));
                begin_ = at_;
            }
            find_begin(at_);
        }
        if (kept() > max_image) find_begin(bytes_.size());
        bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(begin_));
        at_ -= begin_;
        begin_ = 0;
    }
    return images;
}

}  // namespace caribou::wire
