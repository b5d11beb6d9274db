#pragma once

#include <string>

#include "robot/config_store.hpp"

namespace caribou {

/// A configuration file. Replaced atomically (written beside it, synced and renamed), so that it is always
/// complete; its permissions are kept.
class ConfigFile final : public robot::ConfigStore {
public:
    explicit ConfigFile(std::string path) : path_(std::move(path)) {}

    Result<std::string> read() override;
    Result<void> write(const std::string& text) override;

private:
    std::string path_;
};

}  // namespace caribou
