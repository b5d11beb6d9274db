#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"
#include "base/check.hpp"
#include "motion/guard_message.hpp"

/// Reads any bytes as a datagram of either direction. It is refused with a reason, or its encoding is the
/// same bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    using namespace caribou::motion;
    const ByteView datagram = std::as_bytes(std::span(data, size));
    Bytes again;
    const auto compare = [&](const auto& read) {
        if (!read) return check(!read.error().message.empty(), "a refusal has a reason");
        encode(*read, again);
        check(std::ranges::equal(again, datagram), "an accepted datagram encodes to its own bytes");
        check(again.size() <= GuardMessageLimits::datagram, "no datagram exceeds the limit");
    };
    compare(robot_to_guard_from(datagram));
    compare(guard_to_robot_from(datagram));
    return 0;
}
