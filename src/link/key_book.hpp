#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "link/paired_key.hpp"

namespace caribou::link {

/// The keys of a machine. Any thread may call.
class KeyBook {
public:
    virtual ~KeyBook() = default;
    /// not_found: there is none that goes by this id.
    virtual Result<PairedKey> find(KeyId id) = 0;
    /// not_found: there is none of this name. While one is being replaced, it is the new one.
    virtual Result<PairedKey> named(std::string_view name) = 0;
};

/// Keys that are nowhere else, on one thread. For tests and simulations.
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

    std::vector<PairedKey> keys;
};

}  // namespace caribou::link
