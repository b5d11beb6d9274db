#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/bytes.hpp"
#include "base/check.hpp"
#include "base/limits.hpp"
#include "base/random.hpp"
#include "wire/codec.hpp"
#include "wire/head.hpp"
#include "wire/packet_reader.hpp"

/// Reads arbitrary bytes as one direction of a connection: an optional greeting, then packets. However the
/// bytes are split, the messages must be the same, every message must survive being encoded again, and the
/// reader must never request more bytes than the limit.
namespace {

using namespace caribou;
using namespace caribou::wire;

constexpr std::size_t max_message = 4_KiB;

bool lies_within(std::string_view field, ByteView raw) {
    const auto whole = text_of(raw);
    return field.data() >= whole.data() && field.data() + field.size() <= whole.data() + whole.size();
}

void check_message(ByteView raw, const MessageView& m) {
    for (const auto field : {m.source, m.aux, m.community, m.key, m.payload})
        check(lies_within(field, raw), "a field stands in the bytes of its message");
    check(encoded_size(m) <= raw.size(), "fields take no more room than their message");

    Bytes again;
    append_message(again, m);
    // The length differs if bytes follow the last field; everything else is the same.
    check(std::ranges::equal(ByteView(again).subspan(4), raw.subspan(4, again.size() - 4)),
          "a message encodes to the bytes that it came from");
    const auto decoded = decode_message(again);
    check(decoded.has_value(), "what was encoded decodes");
    Bytes thrice;
    append_message(thrice, *decoded);
    check(thrice == again, "what was encoded decodes to the same fields");

    MessageView bridged = m;
    bridged.community = "community of ours";
    Bytes expected;
    append_message(expected, bridged);
    Bytes replaced;
    append_with_community(replaced, raw, m, bridged.community);
    check(replaced == expected, "replacing the community equals encoding anew");

    MessageView headed = bridged;
    headed.source = "another source";
    expected.clear();
    append_message(expected, headed);
    const std::size_t size = head_of(raw, m).size();
    const ByteView head = head_of(expected, headed);
    check(is_message_with_head(raw, head_of(raw, m)), "a valid message has its own head");
    replaced.resize(size_with_head(raw, size, head.size()));
    store_with_head(replaced.data(), raw, size, head);
    check(replaced == expected, "replacing the head equals encoding anew");
}

struct Outcome {
    Bytes messages;  ///< in order of arrival, concatenated
    std::size_t packets = 0;
    std::size_t offset = 0;
    std::optional<Error> error{};

    friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// Whether messages that resemble the last one are read without decoding them.
enum class Similar : bool { decoded, skipped };

/// Passes `stream` in pieces of at most `largest` bytes, each in its own allocation, so that the address
/// sanitizer detects every access beyond it.
Outcome read(ByteView stream, std::size_t largest, Similar similar = Similar::decoded) {
    PacketReader reader(max_message);
    Random random(stream.size());
    Outcome outcome;
    Bytes head;
    std::size_t begin = 0;
    for (std::size_t end = 0; end < stream.size();) {
        end += std::min(stream.size() - end, 1 + random.below(largest));
        for (;;) {
            const Bytes offered(stream.begin() + static_cast<std::ptrdiff_t>(begin),
                                stream.begin() + static_cast<std::ptrdiff_t>(end));
            if (similar == Similar::skipped && !head.empty()) {
                const auto next = reader.next_similar(offered, head, max_message);
                if (next.consumed > 0) {
                    begin += next.consumed;
                    if (next.begins_packet) ++outcome.packets;
                    const auto decoded = decode_message(next.raw);
                    check(decoded.has_value(), "what resembles a valid message is valid");
                    check_message(next.raw, *decoded);
                    append(outcome.messages, next.raw);
                    continue;
                }
            }
            const auto step = reader.next(offered);
            if (!step) {
                check(step.error().message.contains("offset "), "an error names its place");
                outcome.error = step.error();
                outcome.offset = reader.offset();
                return outcome;
            }
            check(step->consumed <= offered.size(), "no more is consumed than was offered");
            begin += step->consumed;
            check(reader.offset() == begin, "the offset counts what was consumed");
            if (step->kind == PacketReader::Step::Kind::need_more) {
                check(step->consumed == 0, "who needs more consumes nothing");
                check(step->wanted > offered.size(), "who needs more wants more than was offered");
                check(step->wanted <= max_message, "nothing beyond the limit is asked for");
                break;
            }
            if (step->kind == PacketReader::Step::Kind::packet) ++outcome.packets;
            if (step->kind == PacketReader::Step::Kind::message) {
                check(step->raw.size() == step->consumed, "a message consumes its bytes");
                check_message(step->raw, step->message);
                append(outcome.messages, step->raw);
                const ByteView found = head_of(step->raw, step->message);
                head.assign(found.begin(), found.end());
            }
        }
    }
    outcome.offset = reader.offset();
    return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    ByteView stream = std::as_bytes(std::span(data, size));
    if (size >= greeting_size && is_greeting(stream.first(greeting_size)))
        stream = stream.subspan(greeting_size);

    const Outcome whole = read(stream, std::max<std::size_t>(1, stream.size()));
    check(whole.messages.size() <= stream.size(), "messages take no more room than the input");
    check(read(stream, 16) == whole, "a split stream gives the same messages");
    check(read(stream, 100, Similar::skipped) == whole, "messages that are not decoded are the same");
    return 0;
}
