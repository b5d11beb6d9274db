#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/check.hpp"
#include "link/datagram_seal.hpp"

/// Arbitrary bytes as a sealed datagram, and as modifications of a valid one: only the valid one may be
/// opened, and only once.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    using namespace caribou::link;
    const ByteView input = std::as_bytes(std::span(data, size));
    constexpr std::array<std::byte, SecretKey::size> zeros{};
    const SecretKey key(zeros);
    SessionOpener opener({7}, key, Direction::to_station);
    BootOpener before(key, Direction::to_station);
    check(!opener.open(input) && !before.open(input), "nobody guesses a seal");

    DatagramSealer sealer(SessionMark{7}, key, Direction::to_station);
    const Bytes good = sealer.seal(input.first(std::min(size, std::size_t{64})));
    Bytes altered = good;
    for (std::size_t i = 0; i + 1 < size; i += 2) altered[data[i] % altered.size()] ^= input[i + 1];
    check(opener.open(altered).has_value() == (altered == good), "what is altered is refused");
    check(opener.open(good).has_value() == (altered != good), "what is good comes in once");
    return 0;
}
