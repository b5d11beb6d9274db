#pragma once

#include <filesystem>
#include <optional>

#include "cubes/preference_store.hpp"

namespace caribou {

/// Stores the address of the preferred cube in a file of one line. Replaced atomically, so that it is always
/// complete; a missing or damaged file counts as empty.
class CubePreferenceFile final : public cubes::PreferenceStore {
public:
    /// Missing directories are created on the first save.
    explicit CubePreferenceFile(std::filesystem::path path) : path_(std::move(path)) {}

    std::optional<cubes::CubeAddress> load() override;
    Result<void> save(std::optional<cubes::CubeAddress> preferred) override;

private:
    std::filesystem::path path_;
};

}  // namespace caribou
