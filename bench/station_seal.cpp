// Datagrams that no robot of ours has sent.

#include <array>
#include <cstddef>
#include <vector>

#include "base/random.hpp"
#include "give_up.hpp"
#include "link/datagram_seal.hpp"
#include "station_figures.hpp"

namespace caribou::bench {
namespace {

link::SecretKey some_key(Random& random) {
    std::array<std::byte, link::SecretKey::size> bytes;
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.below(256));
    return link::SecretKey(bytes);
}

/// One bit, anywhere.
Bytes altered(Bytes datagram, Random& random) {
    datagram[random.below(datagram.size())] ^= static_cast<std::byte>(1U << random.below(8));
    return datagram;
}

/// A third each of what was taken before, altered and sealed with another key, among good ones that are
/// taken.
template <class Sealer, class Opener>
std::size_t accepted(std::size_t count, Sealer robot, Sealer foreign, Opener opener, Random& random) {
    constexpr std::size_t kept = 5000;  // more than the window is wide
    std::vector<Bytes> taken;
    std::size_t wrongly = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Bytes content(50 + random.below(900), static_cast<std::byte>(i));
        Bytes fresh = robot.seal(content);
        if (i % 3 == 1 && opener.open(altered(fresh, random))) ++wrongly;
        if (!opener.open(fresh)) give_up("a good datagram is refused");
        if (i % 3 == 0 && opener.open(taken.empty() ? fresh : taken[random.below(taken.size())])) ++wrongly;
        if (i % 3 == 2 && opener.open(foreign.seal(content))) ++wrongly;
        if (taken.size() < kept)
            taken.push_back(std::move(fresh));
        else
            taken[random.below(kept)] = std::move(fresh);
    }
    return wrongly;
}

}  // namespace

void datagrams_accepted(const Report& report, const Effort&) {
    using enum link::Direction;
    constexpr std::size_t each = 500'000;
    Random random(1);
    const link::SecretKey key = some_key(random);
    const link::SecretKey other = some_key(random);
    const link::SessionMark session{7};
    std::size_t wrongly = accepted(each, link::DatagramSealer(session, key, to_station),
                                   link::DatagramSealer(session, other, to_station),
                                   link::SessionOpener(session, key, to_station), random);
    const link::BootMark boot{link::id_of(key), 3, {}};
    wrongly +=
        accepted(each, link::DatagramSealer(boot, key, to_station),
                 link::DatagramSealer(boot, other, to_station), link::BootOpener(key, to_station), random);
    report.add({"datagrams_accepted", static_cast<double>(wrongly), "of 1,000,000"});
}

}  // namespace caribou::bench
