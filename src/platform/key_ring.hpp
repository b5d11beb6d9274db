#pragma once

#include <filesystem>
#include <map>
#include <optional>

#include "base/log.hpp"
#include "platform/key_folder.hpp"

namespace caribou {

/// Finds keys by their ids, and notices when a folder has changed: who is paired gets in, and who is not any
/// more stays out, without a restart.
class KeyRing {
public:
    /// What is wrong with a file is logged, and concerns that file alone.
    KeyRing(KeyFolder folder, Log& log) : folder_(std::move(folder)), log_(log) {}

    Result<link::PairedKey> find(link::KeyId id);
    std::size_t size();

private:
    void refresh();

    KeyFolder folder_;
    Log& log_;
    std::map<link::KeyId, link::PairedKey> keys_;
    std::optional<std::filesystem::file_time_type>
        seen_;  ///< when the folder had last changed; none: look again
};

}  // namespace caribou
