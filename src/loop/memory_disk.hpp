#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <memory>

#include "base/random.hpp"
#include "loop/disk.hpp"

namespace caribou {

/// A disk inside this process, for tests. Knows what would outlast a power cut and what would not,
/// and can run full or fail.
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

    /// Bytes that all files together may have; an append beyond it stores what fits, and fails.
    void set_capacity(std::size_t bytes) { capacity_ = bytes; }
    /// After this many more calls that change something, every one fails, and an append stores a
    /// part of its bytes: the program has been killed inside it.
    void fail_after(std::size_t calls) { calls_left_ = calls; }
    /// The power is cut and comes back. Of what was not synced, any part may be there: of
    /// the bytes any sectors in any order (the others read as zeros), of the names the first few
    /// changes. Open files are dead.
    void cut_power(Random& random);
    /// The program is killed: everything that was written is there. Open files are dead.
    void kill();

    /// The bytes of a file, to look at and to spoil.
    Bytes& bytes(const std::string& name);
    std::size_t used() const;

private:
    struct File;
    class Handle;
    using Names = std::map<std::string, std::shared_ptr<File>>;

    /// One change. False: it fails.
    bool may_change();
    Result<void> append(File& file, ByteView bytes);
    Result<void> sync(File& file);

    Names names_;
    Names synced_names_;
    std::vector<Names> since_sync_;  ///< the names after each change since
    std::size_t capacity_ = std::numeric_limits<std::size_t>::max();
    std::size_t calls_left_ = std::numeric_limits<std::size_t>::max();
    std::shared_ptr<int> power_;  ///< replaced by a cut: handles from before notice
};

}  // namespace caribou
