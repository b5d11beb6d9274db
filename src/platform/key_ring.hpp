#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "base/log.hpp"
#include "link/key_book.hpp"
#include "platform/key_folder.hpp"

namespace caribou {

/// Finds the keys of a folder, and notices when that has changed: who is paired gets in, and who is not any
/// more stays out, without a restart.
class KeyRing final : public link::KeyBook {
public:
    /// What is wrong with a file is logged, and concerns that file alone.
    KeyRing(KeyFolder folder, Log& log) : folder_(std::move(folder)), log_(log) {}

    Result<link::PairedKey> find(link::KeyId id) override;
    Result<link::PairedKey> named(std::string_view name) override;
    std::size_t size();

private:
    void refresh();

    KeyFolder folder_;
    Log& log_;
    std::mutex lock_;
    std::map<link::KeyId, link::PairedKey> keys_;
    std::map<std::string, link::KeyId, std::less<>> names_;  ///< of those that are not being replaced
    using Time = std::filesystem::file_time_type;
    std::optional<Time> changed_;  ///< when the folder had last changed, as it was read
    Time read_{};                  ///< when it was
};

}  // namespace caribou
