#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "base/result.hpp"

namespace caribou {

/// A new folder below that for temporary files, which goes with its owner and all that is in it.
class ScratchFolder {
public:
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
