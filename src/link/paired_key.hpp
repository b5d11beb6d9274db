#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "link/role.hpp"
#include "link/secret_key.hpp"

namespace caribou::link {

/// A key shared with one other machine, as stored in a file (docs/formats/key-file.md).
struct PairedKey {
    std::string name;         ///< this machine's name for the other one
    Role role = Role::drive;  ///< granted to a peer with this key
    std::string created;      ///< `2026-01-31T12:00:00Z`
    SecretKey key;

    friend bool operator==(const PairedKey&, const PairedKey&) = default;
};

std::string file_text_of(const PairedKey& key);
/// Parses a key file. The error names the line, but never contains its text.
Result<PairedKey> paired_key_from(std::string_view file_text);

}  // namespace caribou::link
