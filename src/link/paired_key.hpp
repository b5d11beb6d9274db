#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "link/role.hpp"
#include "link/secret_key.hpp"

namespace caribou::link {

/// A key that this machine shares with one other, as it stands in a file (docs/formats/key-file.md).
struct PairedKey {
    std::string name;         ///< that this machine has for the other
    Role role = Role::drive;  ///< what who proves the key may do
    std::string created;      ///< `2026-01-31T12:00:00Z`
    SecretKey key;

    friend bool operator==(const PairedKey&, const PairedKey&) = default;
};

std::string file_text_of(const PairedKey& key);
/// The sentence has the line; it never has what stands there.
Result<PairedKey> paired_key_from(std::string_view file_text);

}  // namespace caribou::link
