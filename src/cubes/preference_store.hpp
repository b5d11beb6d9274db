#pragma once

#include <optional>

#include "base/result.hpp"
#include "cubes/cube_address.hpp"

namespace caribou::cubes {

/// Where the preferred cube is remembered from one run to the next.
class PreferenceStore {
public:
    virtual ~PreferenceStore() = default;
    /// None: nothing was saved yet, or what was saved cannot be read any more.
    virtual std::optional<CubeAddress> load() = 0;
    /// None: there is no preferred cube any more.
    virtual Result<void> save(std::optional<CubeAddress> preferred) = 0;
};

/// Remembers as long as it lives.
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
