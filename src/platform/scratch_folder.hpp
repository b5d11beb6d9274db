#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "base/result.hpp"

namespace caribou {

/// A new folder for temporary files, removed with its contents on destruction.
class ScratchFolder {
public:
    /// Creates a folder whose name starts with `name`.
    static Result<std::unique_ptr<ScratchFolder>> make(std::string_view name);
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    explicit ScratchFolder(std::filesystem::path path) : path_(std::move(path)) {}

    std::filesystem::path path_;
};

}  // namespace caribou
