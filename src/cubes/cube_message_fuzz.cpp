#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/check.hpp"
#include "cubes/cube_message.hpp"

/// Decodes arbitrary bytes as a message. They are rejected with an error message, or encoding the result
/// gives the same bytes, except for the unused byte of a voltage.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    using namespace caribou::cubes;
    const ByteView bytes = std::as_bytes(std::span(data, size));
    const auto message = decode(bytes);
    if (!message) {
        check(!message.error().message.empty(), "what is refused has a reason");
        return 0;
    }
    Bytes written = encode(*message);
    if (std::holds_alternative<Voltage>(*message)) written[1] = bytes[1];
    check(std::ranges::equal(written, bytes), "what was read is written as it was");
    check(decode(written) == *message, "what was written reads as the same message");
    check(!describe(*message).empty(), "every message can be described");
    return 0;
}
