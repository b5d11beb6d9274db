#include <cstddef>
#include <cstdint>

#include "base/check.hpp"
#include "link/message.hpp"

/// Arbitrary bytes as a datagram. They must be refused with a message, or decode to a message that encodes to
/// the same size and decodes to itself.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    using namespace caribou::link;
    const auto packet = decode_datagram(std::as_bytes(std::span(data, size)));
    if (!packet) {
        check(!packet.error().message.empty(), "what is refused has a reason");
        return 0;
    }
    const Bytes written = datagram_of(packet->number, packet->message);
    const auto again = decode_datagram(written);
    check(again.has_value(), "what was written is read");
    check(datagram_of(again->number, again->message) == written, "what was read is written as it was");
    return 0;
}
