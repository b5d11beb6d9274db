#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"

namespace caribou {

/// An append-only file. Destroying the object closes the file.
class DiskFile {
public:
    virtual ~DiskFile() = default;
    /// Appends the bytes. After a failure, any part of them may be in the file.
    virtual Result<void> append(ByteView bytes) = 0;
    /// Returns once everything appended so far would survive a power failure.
    virtual Result<void> sync() = 0;
};

/// The bytes of a file, with shared ownership of the memory they are in.
class FileImage {
public:
    FileImage(ByteView bytes, std::shared_ptr<const void> holder)
        : bytes_(bytes), holder_(std::move(holder)) {}

    ByteView bytes() const { return bytes_; }

private:
    ByteView bytes_;
    std::shared_ptr<const void> holder_;
};

/// One directory of files. Calls block for as long as the disk takes, so the implementation in platform
/// should run on its own thread. The one in memory, which can also simulate failures and power loss, is
/// loop/memory_disk.hpp.
class Disk {
public:
    virtual ~Disk() = default;
    /// Returns the names of all files.
    virtual Result<std::vector<std::string>> list() = 0;
    /// Returns the contents of a file. Fails with Code::not_found if there is no such file.
    virtual Result<FileImage> read(const std::string& name) = 0;
    /// Like read(), but loads bytes on first access. The file must not shrink while the image exists; it may
    /// grow, which the image does not show, and it may be removed.
    virtual Result<FileImage> map(const std::string& name) = 0;
    /// Returns the size of a file in bytes.
    virtual Result<std::uint64_t> size(const std::string& name) = 0;
    /// Creates an empty file, replacing an existing one.
    virtual Result<std::unique_ptr<DiskFile>> create(const std::string& name) = 0;
    /// Opens a file for appending after its first `size` bytes; the rest is discarded.
    virtual Result<std::unique_ptr<DiskFile>> reopen(const std::string& name, std::size_t size) = 0;
    /// Renames a file atomically, replacing an existing one: there is no moment at which `to` is missing.
    virtual Result<void> rename(const std::string& from, const std::string& to) = 0;
    virtual Result<void> remove(const std::string& name) = 0;
    /// Returns once all file names as they are now would survive a power failure.
    virtual Result<void> sync_names() = 0;
};

}  // namespace caribou
