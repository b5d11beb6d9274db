#include <cstddef>
#include <cstdint>

#include "base/check.hpp"
#include "link/message.hpp"

/// Any bytes as a datagram. They are refused with a sentence, or they are one, which is written as one
/// of the same size that reads the same way again.
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
