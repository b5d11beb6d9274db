#pragma once

#include <optional>

#include "base/result.hpp"
#include "cubes/cube_address.hpp"

namespace caribou::cubes {

/// Persistent storage of the preferred cube.
class PreferenceStore {
public:
    virtual ~PreferenceStore() = default;
    /// Returns nullopt if nothing was saved yet, or if the saved value cannot be read.
    virtual std::optional<CubeAddress> load() = 0;
    /// Saves the preferred cube; nullopt removes it.
    virtual Result<void> save(std::optional<CubeAddress> preferred) = 0;
};

/// Keeps the preference in memory only.
class MemoryPreferenceStore final : public PreferenceStore {
public:
    std::optional<CubeAddress> load() override { return saved; }
    Result<void> save(std::optional<CubeAddress> preferred) override {
        saved = preferred;
        return {};
    }

    std::optional<CubeAddress> saved;
};

}  // namespace caribou::cubes
