#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace caribou {

/// A file's bytes without reading them all: the system brings in what is looked at. The file must not
/// shrink meanwhile.
class MappedFile {
public:
    /// not_found, io: with the path and what the system says.
    static Result<MappedFile> open(const std::string& path);
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    ~MappedFile();

    std::string_view text() const { return {begin_, size_}; }
    /// Has all of it read now, so that a disk that fails does so here and not where a byte is looked at.
    /// False: it failed, and errno says how.
    bool bring_in() const;

private:
    MappedFile(const char* begin, std::size_t size) : begin_(begin), size_(size) {}

    const char* begin_;
    std::size_t size_;
};

}  // namespace caribou
