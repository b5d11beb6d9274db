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

/// A file that is written from its beginning to its end. Destroying it closes it.
class DiskFile {
public:
    virtual ~DiskFile() = default;
    /// After a failure any part of the bytes may stand in the file.
    virtual Result<void> append(ByteView bytes) = 0;
    /// Returns when everything appended would outlast a power cut.
    virtual Result<void> sync() = 0;
};

/// The bytes of a file, and whatever holds them in memory.
class FileImage {
public:
    FileImage(ByteView bytes, std::shared_ptr<const void> holder)
        : bytes_(bytes), holder_(std::move(holder)) {}

    ByteView bytes() const { return bytes_; }

private:
    ByteView bytes_;
    std::shared_ptr<const void> holder_;
};

/// One directory of files. Calls take as long as the disk takes: the real one, which stands in
/// platform, belongs on a thread of its own. The one in memory, which can also fail and lose its
/// power, is loop/memory_disk.hpp.
class Disk {
public:
    virtual ~Disk() = default;
    virtual Result<std::vector<std::string>> list() = 0;
    virtual Result<FileImage> read(const std::string& name) = 0;
    /// The same without reading it all: bytes are brought in as they are looked at. The file must not
    /// shrink meanwhile; it may grow, unseen, and may be removed.
    virtual Result<FileImage> map(const std::string& name) = 0;
    virtual Result<std::uint64_t> size(const std::string& name) = 0;
    /// An empty file, in place of one that was there.
    virtual Result<std::unique_ptr<DiskFile>> create(const std::string& name) = 0;
    /// For appending behind its first `size` bytes; the others go.
    virtual Result<std::unique_ptr<DiskFile>> reopen(const std::string& name, std::size_t size) = 0;
    /// Takes the place of what had the new name, at once: nobody ever finds neither.
    virtual Result<void> rename(const std::string& from, const std::string& to) = 0;
    virtual Result<void> remove(const std::string& name) = 0;
    /// Returns when the names as they are now would outlast a power cut.
    virtual Result<void> sync_names() = 0;
};

}  // namespace caribou
