#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <memory>

#include "base/random.hpp"
#include "loop/disk.hpp"

namespace caribou {

/// A simulated disk in memory, for tests. Tracks which data would survive a power failure, and can run full
/// or fail.
class MemoryDisk final : public Disk {
public:
    MemoryDisk();
    ~MemoryDisk() override;

    Result<std::vector<std::string>> list() override;
    Result<FileImage> read(const std::string& name) override;
    Result<FileImage> map(const std::string& name) override;
    Result<std::uint64_t> size(const std::string& name) override;
    Result<std::unique_ptr<DiskFile>> create(const std::string& name) override;
    Result<std::unique_ptr<DiskFile>> reopen(const std::string& name, std::size_t size) override;
    Result<void> rename(const std::string& from, const std::string& to) override;
    Result<void> remove(const std::string& name) override;
    Result<void> sync_names() override;

    /// Limits the total size of all files in bytes. An append beyond the limit stores the bytes that fit, and
    /// fails.
    void set_capacity(std::size_t bytes) { capacity_ = bytes; }
    /// After this many more modifying calls, every one fails, and an append stores a part of its bytes, as if
    /// the program was killed inside it.
    void fail_after(std::size_t calls) { calls_left_ = calls; }
    /// Simulates a power failure and restart. Any part of the unsynced data may survive: of the bytes any
    /// sectors in any order (the others read as zeros), of the file names the first few changes. Handles of
    /// open files become invalid.
    void cut_power(Random& random);
    /// Simulates that the program is killed: everything written survives. Handles of open files become
    /// invalid.
    void kill();

    /// Returns the bytes of a file, for inspection and for corrupting them. The file must exist.
    Bytes& bytes(const std::string& name);
    std::size_t used() const;

private:
    struct File;
    class Handle;
    using Names = std::map<std::string, std::shared_ptr<File>>;

    /// Counts one modifying call. Returns false if it has to fail.
    bool may_change();
    Result<void> append(File& file, ByteView bytes);
    Result<void> sync(File& file);

    Names names_;
    Names synced_names_;
    std::vector<Names> since_sync_;  ///< the names after each change since the last sync
    std::size_t capacity_ = std::numeric_limits<std::size_t>::max();
    std::size_t calls_left_ = std::numeric_limits<std::size_t>::max();
    std::shared_ptr<int> power_;  ///< replaced on a power failure or kill, which invalidates older handles
};

}  // namespace caribou
