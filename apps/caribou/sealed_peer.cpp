#include "caribou/sealed_peer.hpp"

#include <utility>
#include <variant>

#include "platform/random_bytes.hpp"

namespace caribou::app {
namespace {

/// Both ends use one; their keys differ by their random marks.
constexpr auto seal_direction = link::Direction::to_station;

link::BootMark new_mark(const link::SecretKey& key) {
    link::BootMark mark{.key = id_of(key)};
    fill_with_random_bytes(mark.nonce);
    return mark;
}

}  // namespace

SealedPeer::SealedPeer(std::string key_name, const link::SecretKey& shared, std::optional<Address> to)
    : key_name_(std::move(key_name)),
      key_(shared.derive("caribou share")),
      mark_(new_mark(key_)),
      own_key_(boot_key(key_, mark_, seal_direction)),
      to_(std::move(to)),
      line_({.own = mark_.nonce,
             .calls = to_.has_value(),
             .largest_content = link::SealedLimits::content,
             .overhead = bus::udp_overhead + link::SealedLimits::boot_header + link::SealedLimits::tag}) {}

bool SealedPeer::is_for_us(const link::SealedHeader& header) const {
    const auto* const mark = std::get_if<link::BootMark>(&header.mark);
    return mark && mark->key == mark_.key;
}

Result<void> SealedPeer::send(Datagram& socket, const Address& to, ByteView content) {
    return socket.send(to, link::seal({mark_, next_number_++}, own_key_, content));
}

Result<void> SealedPeer::flush(Datagram& socket, Instant now) {
    Result<void> done;
    for (const Bytes& content : line_.take(now))
        if (to_)
            if (auto sent = send(socket, *to_, content); !sent) done = std::move(sent);
    return done;
}

Result<std::vector<Bytes>> SealedPeer::receive(Datagram& socket, const Address& from, ByteView datagram,
                                               Instant now) {
    const auto header = link::read_sealed_header(datagram);
    if (!header) return fail(header.error());
    const auto* const mark = std::get_if<link::BootMark>(&header->mark);
    if (!mark || mark->key != mark_.key) return fail(Code::refused, "sealed with another key");
    const auto content = link::open_sealed(boot_key(key_, *mark, seal_direction), datagram);
    if (!content) return fail(content.error());
    auto received = line_.receive(mark->nonce, *content, now);
    if (received.is_live && !line_.calls()) to_ = from;
    if (received.reply)
        if (auto sent = send(socket, from, *received.reply); !sent) return fail(std::move(sent.error()));
    return std::move(received.messages);
}

}  // namespace caribou::app
