#pragma once

#include <string>

#include "robot/config_store.hpp"

namespace caribou {

/// A configuration file. Replaced atomically (written beside it, synced and renamed), so that it is always
/// complete; its permissions are kept.
class ConfigFile final : public robot::ConfigStore {
public:
    /// The new contents are written to `path` + `draft` first. Objects that write the same file at the same
    /// time need different drafts.
    explicit ConfigFile(std::string path, std::string draft = ".new")
        : path_(std::move(path)), draft_(std::move(draft)) {}

    Result<std::string> read() override;
    Result<void> write(const std::string& text) override;

private:
    std::string path_;
    std::string draft_;
};

}  // namespace caribou
