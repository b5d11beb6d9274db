#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "link/paired_key.hpp"

namespace caribou::link {

/// The keys of a machine. Thread-safe.
class KeyBook {
public:
    virtual ~KeyBook() = default;
    /// Fails with not_found if no key has this id.
    virtual Result<PairedKey> find(KeyId id) = 0;
    /// Fails with not_found if no key has this name. Returns the new key while one is being replaced.
    virtual Result<PairedKey> named(std::string_view name) = 0;
    /// Returns the names of all keys.
    virtual std::vector<std::string> names() = 0;
};

/// Keys in memory. Not thread-safe. For tests and simulations.
class MemoryKeyBook final : public KeyBook {
public:
    explicit MemoryKeyBook(std::vector<PairedKey> initial = {}) : keys(std::move(initial)) {}

    Result<PairedKey> find(KeyId id) override {
        for (const PairedKey& key : keys)
            if (id_of(key.key) == id) return key;
        return fail(Code::not_found, "there is no key with the id " + to_string(id));
    }
    Result<PairedKey> named(std::string_view name) override {
        for (const PairedKey& key : keys)
            if (key.name == name) return key;
        return fail(Code::not_found, "there is no key for `" + std::string(name) + "`");
    }

    std::vector<std::string> names() override {
        std::vector<std::string> all;
        for (const PairedKey& key : keys) all.push_back(key.name);
        return all;
    }

    std::vector<PairedKey> keys;
};

}  // namespace caribou::link
