#pragma once

#include <filesystem>
#include <optional>

#include "cubes/preference_store.hpp"

namespace caribou {

/// Remembers the preferred cube in a file of one line: its address. Written beside it first, then
/// renamed, so that the file is whole at every moment; one that is missing or damaged counts as empty.
class CubePreferenceFile final : public cubes::PreferenceStore {
public:
    /// Directories that are missing are made when something is saved.
    explicit CubePreferenceFile(std::filesystem::path path) : path_(std::move(path)) {}

    std::optional<cubes::CubeAddress> load() override;
    Result<void> save(std::optional<cubes::CubeAddress> preferred) override;

private:
    std::filesystem::path path_;
};

}  // namespace caribou
