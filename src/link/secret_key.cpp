#include "link/secret_key.hpp"

#include <sodium.h>

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/check.hpp"
#include "link/raw_bytes.hpp"

namespace caribou::link {
namespace {

/// Lets the library select code for this processor.
void prepare() {
    static const bool ready = sodium_init() >= 0;
    check(ready, "libsodium can be used");
}

}  // namespace

SecretKey::SecretKey(View bytes) { std::ranges::copy(bytes, bytes_.begin()); }

SecretKey::~SecretKey() { sodium_memzero(bytes_.data(), bytes_.size()); }

SecretKey SecretKey::derive(std::string_view purpose, ByteView context) const {
    prepare();
    check(purpose.size() < 256, "the size of a purpose fits its byte");
    crypto_generichash_state state;
    crypto_generichash_init(&state, raw(bytes_.data()), size, size);
    const auto length = static_cast<unsigned char>(purpose.size());
    crypto_generichash_update(&state, &length, 1);
    crypto_generichash_update(&state, raw(bytes_of(purpose).data()), purpose.size());
    crypto_generichash_update(&state, raw(context.data()), context.size());
    SecretKey derived(*this);
    crypto_generichash_final(&state, raw(derived.bytes_.data()), size);
    sodium_memzero(&state, sizeof state);
    return derived;
}

bool operator==(const SecretKey& a, const SecretKey& b) {
    return sodium_memcmp(a.bytes_.data(), b.bytes_.data(), SecretKey::size) == 0;
}

KeyId id_of(const SecretKey& key) {
    const SecretKey name = key.derive("caribou key id");
    return {load_le<std::uint64_t>(name.bytes().data())};
}

std::string to_string(KeyId id) { return fmt::format("{:016x}", id.value); }

std::optional<KeyId> key_id_from(std::string_view text) {
    KeyId id;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, id.value, 16);
    if (error != std::errc{} || stop != end || to_string(id) != text) return std::nullopt;
    return id;
}

}  // namespace caribou::link
