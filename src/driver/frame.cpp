#include "driver/frame.hpp"

#include <array>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "base/check.hpp"
#include "driver/limits.hpp"

namespace caribou::driver {
namespace {

/// In the order of the alternatives of DriverMessage. Frames of a driver are below 16.
constexpr std::array<std::uint8_t, std::variant_size_v<DriverMessage>> frame_kinds = {1,  2,  3,  4,  5,
                                                                                      16, 17, 18, 19, 20};
constexpr std::size_t length_size = sizeof(std::uint32_t);

template <std::size_t Index = 0>
Result<DriverMessage> decoded(std::size_t index, ByteView body) {
    if constexpr (Index < std::variant_size_v<DriverMessage>) {
        if (index != Index) return decoded<Index + 1>(index, body);
        auto message = wire::decode_cdr<std::variant_alternative_t<Index, DriverMessage>>(body);
        if (!message) return fail(std::move(message.error()));
        return std::move(*message);
    } else {
        std::unreachable();
    }
}

Result<DriverMessage> decode(ByteView frame) {
    const auto kind = std::to_integer<std::uint8_t>(frame.front());
    for (std::size_t i = 0; i < frame_kinds.size(); ++i)
        if (frame_kinds.at(i) == kind) return decoded(i, frame.subspan(1));
    return fail(Code::malformed, fmt::format("unknown kind of frame {}", kind));
}

}  // namespace

Bytes frame_of(const DriverMessage& message) {
    const Bytes body = std::visit([](const auto& each) { return wire::encode_cdr(each); }, message);
    check(body.size() < DriverLimits::frame, "a driver frame is within its limit");
    Bytes frame;
    frame.reserve(length_size + 1 + body.size());
    append_le(frame, static_cast<std::uint32_t>(1 + body.size()));
    append_le(frame, frame_kinds.at(message.index()));
    append(frame, body);
    return frame;
}

Bytes DriverFrameReader::take_rest() {
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(begin_));
    begin_ = 0;
    return std::exchange(bytes_, {});
}

Result<std::optional<DriverMessage>> DriverFrameReader::next() {
    const ByteView left = ByteView(bytes_).subspan(begin_);
    const std::size_t size = left.size() < length_size ? 1 : load_le<std::uint32_t>(left.data());
    if (size == 0) return fail(Code::malformed, "a frame without a kind");
    if (size > DriverLimits::frame)
        return fail(Code::limit_exceeded, limit_reached("frame", size, DriverLimits::frame, "bytes"));
    if (left.size() < length_size || left.size() - length_size < size) {
        bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(begin_));
        begin_ = 0;
        return std::nullopt;
    }
    begin_ += length_size + size;
    auto message = decode(left.subspan(length_size, size));
    if (!message) return fail(std::move(message.error()));
    return std::move(*message);
}

}  // namespace caribou::driver
