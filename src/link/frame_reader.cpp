#include "link/frame_reader.hpp"

#include "base/limits.hpp"

namespace caribou::link {

Result<std::optional<LinkMessage>> FrameReader::next() {
    const ByteView left = ByteView(bytes_).subspan(begin_);
    constexpr std::size_t head = sizeof(std::uint32_t);
    const std::size_t size = left.size() < head ? 0 : load_le<std::uint32_t>(left.data());
    if (size > LinkLimits::frame)
        return fail(Code::limit_exceeded, limit_reached("frame", size, LinkLimits::frame, "bytes"));
    if (left.size() < head || left.size() - head < size) {
        bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(begin_));
        begin_ = 0;
        return std::nullopt;
    }
    begin_ += head + size;
    auto message = decode_frame(left.subspan(head, size));
    if (!message) return fail(std::move(message.error()));
    return std::move(*message);
}

}  // namespace caribou::link
