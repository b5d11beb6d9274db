#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/bytes.hpp"

namespace caribou::link {

/// A 32-byte key shared by the two ends of a link. Erased from memory on destruction. Has no to_string, so
/// that it is not logged by mistake.
class SecretKey {
public:
    static constexpr std::size_t size = 32;
    using View = std::span<const std::byte, size>;

    explicit SecretKey(View bytes);
    SecretKey(const SecretKey&) = default;
    SecretKey& operator=(const SecretKey&) = default;
    ~SecretKey();

    View bytes() const { return bytes_; }
    /// Returns a key derived for one purpose (and one `context`). It reveals nothing about this key or those
    /// for other purposes.
    SecretKey derive(std::string_view purpose, ByteView context = {}) const;

    /// Constant-time comparison.
    friend bool operator==(const SecretKey& a, const SecretKey& b);

private:
    std::array<std::byte, size> bytes_;
};

/// Public identifier of a key, derived from it; does not reveal the key.
struct KeyId {
    std::uint64_t value = 0;

    friend auto operator<=>(const KeyId&, const KeyId&) = default;
};
KeyId id_of(const SecretKey& key);
/// Converts to and from 16 hexadecimal digits.
std::string to_string(KeyId id);
std::optional<KeyId> key_id_from(std::string_view text);

}  // namespace caribou::link
