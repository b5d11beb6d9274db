#include "link/sealed_datagram.hpp"

#include <sodium.h>

#include <algorithm>

#include <fmt/format.h>

#include "base/check.hpp"
#include "link/raw_bytes.hpp"

namespace caribou::link {
namespace {

constexpr std::string_view magic = "CSEA";
constexpr std::uint8_t version = 1;
constexpr std::size_t tag = SealedLimits::tag;

static_assert(tag == crypto_aead_chacha20poly1305_ietf_ABYTES);
static_assert(SecretKey::size == crypto_aead_chacha20poly1305_ietf_KEYBYTES);

enum class Kind : std::uint8_t { session, boot };

/// The number is used as the nonce: each key is for one direction of one session or boot, so no two datagrams
/// share both.
std::array<unsigned char, crypto_aead_chacha20poly1305_ietf_NPUBBYTES> nonce_of(std::uint64_t number) {
    std::array<unsigned char, crypto_aead_chacha20poly1305_ietf_NPUBBYTES> nonce{};
    std::memcpy(nonce.data() + nonce.size() - sizeof number, &number, sizeof number);
    return nonce;
}

Bytes bytes_of_header(const SealedHeader& header) {
    Bytes bytes;
    bytes.reserve(SealedLimits::datagram);
    append(bytes, bytes_of(magic));
    append_le(bytes, version);
    const auto* const boot = std::get_if<BootMark>(&header.mark);
    append_le(bytes, static_cast<std::uint8_t>(boot ? Kind::boot : Kind::session));
    append_le(bytes, header.number);
    if (!boot) {
        append_le(bytes, std::get<SessionMark>(header.mark).session);
        return bytes;
    }
    append_le(bytes, boot->key.value);
    append_le(bytes, boot->boot);
    append(bytes, boot->nonce);
    return bytes;
}

std::size_t header_size(const SealedHeader& header) {
    return std::holds_alternative<BootMark>(header.mark) ? SealedLimits::boot_header
                                                         : SealedLimits::session_header;
}

std::unexpected<Error> malformed(std::string_view what) {
    return fail(Code::malformed, fmt::format("not a sealed datagram: {}", what));
}

std::string_view name_of(Direction direction) {
    return direction == Direction::to_station ? "to station" : "to robot";
}

}  // namespace

SecretKey session_key(const SecretKey& secret, Direction direction) {
    return secret.derive(fmt::format("caribou session datagrams {}", name_of(direction)));
}

SecretKey boot_key(const SecretKey& shared, const BootMark& mark, Direction direction) {
    Bytes context;
    append_le(context, mark.boot);
    append(context, mark.nonce);
    return shared.derive(fmt::format("caribou boot datagrams {}", name_of(direction)), context);
}

Bytes seal(const SealedHeader& header, const SecretKey& key, ByteView content) {
    check(content.size() <= SealedLimits::content, "a sealed message fits into a datagram");
    Bytes datagram = bytes_of_header(header);
    const std::size_t head = datagram.size();
    datagram.resize(head + content.size() + tag);
    const auto nonce = nonce_of(header.number);
    crypto_aead_chacha20poly1305_ietf_encrypt(raw(datagram.data() + head), nullptr, raw(content.data()),
                                              content.size(), raw(datagram.data()), head, nullptr,
                                              nonce.data(), raw(key.bytes().data()));
    return datagram;
}

Result<SealedHeader> read_sealed_header(ByteView datagram) {
    constexpr std::size_t mark_at = 14;
    if (datagram.size() < SealedLimits::session_header + tag) return malformed("too short");
    if (datagram.size() > SealedLimits::datagram) return malformed("too long");
    if (text_of(datagram.first(magic.size())) != magic) return malformed("it does not begin with CSEA");
    const auto said = load_le<std::uint8_t>(&datagram[4]);
    if (said != version) return malformed(fmt::format("version {}, and only {} is known", said, version));
    SealedHeader header{.number = load_le<std::uint64_t>(&datagram[6])};
    switch (static_cast<Kind>(datagram[5])) {
        case Kind::session: header.mark = SessionMark{load_le<std::uint64_t>(&datagram[mark_at])}; break;
        case Kind::boot: {
            if (datagram.size() < SealedLimits::boot_header + tag) return malformed("too short");
            BootMark mark{.key = {load_le<std::uint64_t>(&datagram[mark_at])},
                          .boot = load_le<std::uint64_t>(&datagram[mark_at + 8])};
            std::ranges::copy(datagram.subspan(mark_at + 16, mark.nonce.size()), mark.nonce.begin());
            header.mark = mark;
            break;
        }
        default: return malformed("of no known kind");
    }
    return header;
}

Result<Bytes> open_sealed(const SecretKey& key, ByteView datagram) {
    const auto header = read_sealed_header(datagram);
    if (!header) return fail(header.error());
    const std::size_t head = header_size(*header);
    const ByteView sealed = datagram.subspan(head);
    Bytes content(sealed.size() - tag);
    const auto nonce = nonce_of(header->number);
    if (crypto_aead_chacha20poly1305_ietf_decrypt(raw(content.data()), nullptr, nullptr, raw(sealed.data()),
                                                  sealed.size(), raw(datagram.data()), head, nonce.data(),
                                                  raw(key.bytes().data())) != 0)
        return fail(Code::refused, "sealed with another key, or altered on the way");
    return content;
}

}  // namespace caribou::link
