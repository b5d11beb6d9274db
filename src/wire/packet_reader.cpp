#include "wire/packet_reader.hpp"

#include <algorithm>
#include <cstring>

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

PacketReader::Header PacketReader::header_at(ByteView input) {
    return {load_le<std::int32_t>(input.data()), load_le<std::int32_t>(input.data() + 4)};
}

bool PacketReader::Header::fits() const {
    return length >= static_cast<std::int32_t>(packet_header_size) && count >= 0 &&
           static_cast<std::size_t>(count) <= body() / min_message_size;
}

void PacketReader::enter(const Header& header) {
    in_packet_ = true;
    bytes_left_ = header.body();
    messages_left_ = static_cast<std::size_t>(header.count);
    offset_ += packet_header_size;
}

void PacketReader::leave_message(std::size_t size) {
    bytes_left_ -= size;
    messages_left_ -= 1;
    offset_ += size;
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

PacketReader::Similar PacketReader::next_similar(ByteView input, ByteView head, std::size_t max_size) {
    const bool begins = messages_left_ == 0;
    Header header{};
    if (begins) {
        // An error at the end of a packet is found by next().
        if (in_packet_ && bytes_left_ > 0) return {};
        if (input.size() < packet_header_size) return {};
        header = header_at(input);
        if (!header.fits() || header.count == 0) return {};
        input = input.subspan(packet_header_size);
    }
    if (input.size() < head_offset + head.size()) return {};
    const std::size_t size = load_le<std::uint32_t>(input.data());
    const std::size_t left = begins ? header.body() : bytes_left_;
    const std::size_t count = begins ? static_cast<std::size_t>(header.count) : messages_left_;
    const std::size_t others = (count - 1) * min_message_size;
    if (size < min_message_size || size > left - others || size > std::min(max_size, max_message_) ||
        size > input.size())
        return {};
    const ByteView raw = input.first(size);
    if (!fits_behind_head(raw, head.size()) ||
        std::memcmp(raw.data() + head_offset, head.data(), head.size()) != 0)
        return {};
    if (begins) enter(header);
    leave_message(size);
    return {(begins ? packet_header_size : 0) + size, begins, raw};
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
