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

/// 32 bytes that only the two ends of a link know. Wiped from memory when it goes. It has no to_string, so
/// that it cannot get into a log by mistake.
class SecretKey {
public:
    static constexpr std::size_t size = 32;
    using View = std::span<const std::byte, size>;

    explicit SecretKey(View bytes);
    SecretKey(const SecretKey&) = default;
    SecretKey& operator=(const SecretKey&) = default;
    ~SecretKey();

    View bytes() const { return bytes_; }
    /// The key for one purpose (and one `context`) that follows from this one. Who has it learns nothing of
    /// this one, nor of those for other purposes.
    SecretKey derive(std::string_view purpose, ByteView context = {}) const;

    /// Takes the same time wherever they differ.
    friend bool operator==(const SecretKey& a, const SecretKey& b);

private:
    std::array<std::byte, size> bytes_;
};

/// What a key is called in the open: follows from it, and tells nothing of it.
struct KeyId {
    std::uint64_t value = 0;

    friend auto operator<=>(const KeyId&, const KeyId&) = default;
};
KeyId id_of(const SecretKey& key);
/// 16 hexadecimal digits, and back.
std::string to_string(KeyId id);
std::optional<KeyId> key_id_from(std::string_view text);

}  // namespace caribou::link
