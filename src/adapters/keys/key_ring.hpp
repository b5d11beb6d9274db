#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "adapters/keys/key_folder.hpp"
#include "base/log.hpp"
#include "link/key_book.hpp"

namespace caribou {

/// Looks up keys in a folder and detects changes, so that pairing and unpairing take effect without a
/// restart.
class KeyRing final : public link::KeyBook {
public:
    /// A faulty file is logged and does not affect the others.
    KeyRing(KeyFolder folder, Log& log) : folder_(std::move(folder)), log_(log) {}

    Result<link::PairedKey> find(link::KeyId id) override;
    Result<link::PairedKey> named(std::string_view name) override;
    std::vector<std::string> names() override;
    /// Returns the number of valid keys, after checking the folder for changes.
    std::size_t size();

private:
    void refresh();

    KeyFolder folder_;
    Log& log_;
    std::mutex lock_;
    std::map<link::KeyId, link::PairedKey> keys_;
    std::map<std::string, link::KeyId, std::less<>> names_;  ///< except those being replaced
    using Time = std::filesystem::file_time_type;
    std::optional<Time> changed_;  ///< modification time of the folder when it was read
    Time read_{};                  ///< when it was read
};

}  // namespace caribou
