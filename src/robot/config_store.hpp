#pragma once

#include <string>

#include "base/result.hpp"

namespace caribou::robot {

/// The configuration file, for command 201. Writing replaces it at once, or not at all.
class ConfigStore {
public:
    virtual ~ConfigStore() = default;
    virtual Result<std::string> read() = 0;
    virtual Result<void> write(const std::string& text) = 0;
};

/// Forgets it with the program.
class MemoryConfigStore final : public ConfigStore {
public:
    explicit MemoryConfigStore(std::string initial = {}) : text(std::move(initial)) {}
    Result<std::string> read() override { return text; }
    Result<void> write(const std::string& changed) override {
        text = changed;
        return {};
    }

    std::string text;
};

}  // namespace caribou::robot
