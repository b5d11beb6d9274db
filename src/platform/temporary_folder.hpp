#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace caribou {

/// A folder for one test, removed with its contents. For tests only.
class TemporaryFolder {
public:
    TemporaryFolder() { EXPECT_NE(::mkdtemp(path_.data()), nullptr); }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::string& path() const { return path_; }
    /// Returns the path of a file in it.
    std::filesystem::path operator/(std::string_view name) const {
        return std::filesystem::path(path_) / name;
    }
    /// Writes a file into it and returns its path.
    std::string write(std::string_view name, std::string_view text) const {
        const std::string file = *this / name;
        std::ofstream(file) << text;
        return file;
    }

private:
    std::string path_ = testing::TempDir() + "caribouXXXXXX";
};

}  // namespace caribou
