#include "wire/packet_reader.hpp"

#include <fmt/format.h>

#include "base/limits.hpp"

namespace caribou::wire {

Result<PacketReader::Step> PacketReader::next(ByteView input) {
    if (!in_packet_) return begin_packet(input);
    if (messages_left_ > 0) return read_message(input);
    if (bytes_left_ > 0)
        return fail(Code::malformed,
                    fmt::format("packet ends at offset {}, but its length promises {} more bytes", offset_,
                                bytes_left_));
    in_packet_ = false;
    return Step{.kind = Step::Kind::packet_end};
}

Result<PacketReader::Step> PacketReader::begin_packet(ByteView input) {
    if (input.size() < packet_header_size)
        return Step{.kind = Step::Kind::need_more, .wanted = packet_header_size};
    const Header header = header_at(input);
    if (header.length < static_cast<std::int32_t>(packet_header_size))
        return fail(Code::malformed,
                    fmt::format("packet at offset {}: length {} is less than its header of {} bytes", offset_,
                                header.length, packet_header_size));
    if (!header.fits())
        return fail(Code::malformed, fmt::format("packet at offset {}: {} messages do not fit into {} bytes",
                                                 offset_, header.count, header.body()));
    enter(header);
    return Step{.kind = Step::Kind::packet, .consumed = packet_header_size};
}

Result<PacketReader::Step> PacketReader::read_message(ByteView input) {
    constexpr std::size_t length_field = 4;
    if (input.size() < length_field) return Step{.kind = Step::Kind::need_more, .wanted = length_field};
    const auto declared = load_le<std::int32_t>(input.data());
    const std::size_t others = (messages_left_ - 1) * min_message_size;
    if (declared < static_cast<std::int32_t>(min_message_size) ||
        static_cast<std::size_t>(declared) > bytes_left_ - others)
        return fail(
            Code::malformed,
            fmt::format("message at offset {}: length {} is not between {} and the {} bytes that the packet "
                        "leaves for it",
                        offset_, declared, min_message_size, bytes_left_ - others));
    const auto length = static_cast<std::size_t>(declared);
    if (length > max_message_)
        return fail(Code::limit_exceeded,
                    fmt::format("message at offset {}: {}", offset_,
                                limit_reached("max_message", length, max_message_, "bytes")));
    if (input.size() < length) return Step{.kind = Step::Kind::need_more, .wanted = length};
    return decode(input.first(length));
}

/// Decodes directly into the step: copying a message would cost as much as decoding it.
Result<PacketReader::Step> PacketReader::decode(ByteView raw) {
    Result<Step> step(std::in_place, Step::Kind::message, raw.size(), 0U, raw);
    if (auto decoded = decode_message(raw, offset_, step->message); !decoded)
        step = fail(std::move(decoded.error()));
    leave_message(raw.size());
    return step;
}

}  // namespace caribou::wire
