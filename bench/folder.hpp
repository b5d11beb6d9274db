#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "give_up.hpp"

namespace caribou::bench {

/// A folder on the disk of the build tree, removed on destruction.
class Folder {
public:
    Folder() {
        std::string path = beside("bench_XXXXXX");
        need(::mkdtemp(path.data()) != nullptr, "make a folder");
        path_ = path;
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::string operator/(const std::string& name) const { return path_ / name; }

private:
    static std::string beside(const std::string& name) {
        return std::filesystem::read_symlink("/proc/self/exe").replace_filename(name);
    }
    std::filesystem::path path_;
};

}  // namespace caribou::bench
