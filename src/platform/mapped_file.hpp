#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace caribou {

/// A memory-mapped file, loaded on access. The file must not shrink while it is mapped.
class MappedFile {
public:
    /// Fails with not_found or io, with the path and the system's message.
    static Result<MappedFile> open(const std::string& path);
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    ~MappedFile();

    /// Returns the contents, valid as long as this object.
    std::string_view text() const { return {begin_, size_}; }
    /// Loads the whole file, so that a disk error occurs here and not on a later access. Returns false on
    /// failure, with errno set.
    bool bring_in() const;

private:
    MappedFile(const char* begin, std::size_t size) : begin_(begin), size_(size) {}

    const char* begin_;
    std::size_t size_;
};

}  // namespace caribou
