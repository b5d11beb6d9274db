#pragma once

#include <string>

#include "base/result.hpp"

namespace caribou::robot {

struct ReadConfig;

/// The configuration file, for command 201. Writes are atomic.
class ConfigStore {
public:
    virtual ~ConfigStore() = default;
    /// Returns the contents of the file.
    virtual Result<std::string> read() = 0;
    virtual Result<void> write(const std::string& text) = 0;
    /// Returns the name of the file, as errors show it.
    virtual std::string path() const { return "the configuration"; }
    /// Returns why a robot would not start again with the file as it is, on one line.
    Result<void> check();
    /// Returns why a value that command 201 sets would not work, on one line. `changed` is the whole file.
    Result<void> check_value(const std::string& key, const std::string& changed);

private:
    /// Checks what a valid configuration needs of the machine.
    virtual Result<void> check(const ReadConfig&) { return {}; }
    /// Checks what the value of a key names on the machine, without waiting for anything.
    virtual Result<void> check_value(const std::string&, const ReadConfig&) { return {}; }
};

/// A store in memory.
class MemoryConfigStore final : public ConfigStore {
public:
    explicit MemoryConfigStore(std::string initial = {}) : text(std::move(initial)) {}
    Result<std::string> read() override {
        if (is_lost) return fail(Code::io, "the configuration is gone");
        return text;
    }
    Result<void> write(const std::string& changed) override {
        if (is_full) return fail(Code::io, "no space left on the disk");
        text = changed;
        return {};
    }

    std::string text;
    bool is_lost = false;
    bool is_full = false;
};

}  // namespace caribou::robot
