// Arbitrary contents of sealed routes: one per input, with the right mark or without. Nothing is published
// that is not a message, and what is offered in return fits its limits.

#include <cstdint>
#include <span>

#include "base/bytes.hpp"
#include "base/check.hpp"
#include "bus/share_line.hpp"
#include "wire/codec.hpp"

using namespace caribou;
using namespace caribou::bus;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const ByteView input = std::as_bytes(std::span(data, size));
    ShareLine::Mark own{};
    own.fill(std::byte{7});
    ShareLine::Mark other{};
    Instant now{std::chrono::hours(1)};
    for (const bool calls : {true, false}) {
        ShareLine line({.own = own, .calls = calls});
        line.offer("A", 1, input);
        for (int round = 0; round < 3; ++round) {
            Bytes content{std::byte{1}};
            append(content, own);
            append(content, input);
            for (const ByteView one : {ByteView(content), input}) {
                for (const Bytes& message : line.receive(other, one, now).messages)
                    check(wire::decode_message(message).has_value(), "only messages are published");
                for (const Bytes& sent : line.take(now))
                    check(sent.size() <= 1138, "a content fits a datagram");
            }
            now += std::chrono::seconds(round);
        }
    }
    return 0;
}
