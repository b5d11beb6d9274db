#pragma once

#include <memory>
#include <string>

#include "loop/disk.hpp"

namespace caribou {

/// A directory, locked by one program at a time.
class FileDisk final : public Disk {
public:
    /// Creates the directory if it is missing, and locks it. Fails if another program holds the lock.
    static Result<std::unique_ptr<FileDisk>> open(const std::string& path);
    /// Returns why open() would fail, other than for a lock. Creates nothing.
    static Result<void> check(const std::string& path);
    ~FileDisk() override;
    FileDisk(const FileDisk&) = delete;
    FileDisk& operator=(const FileDisk&) = delete;

    Result<std::vector<std::string>> list() override;
    Result<FileImage> read(const std::string& name) override;
    Result<FileImage> map(const std::string& name) override;
    Result<std::uint64_t> size(const std::string& name) override;
    Result<std::unique_ptr<DiskFile>> create(const std::string& name) override;
    Result<std::unique_ptr<DiskFile>> reopen(const std::string& name, std::size_t size) override;
    Result<void> rename(const std::string& from, const std::string& to) override;
    Result<void> remove(const std::string& name) override;
    Result<void> sync_names() override;

private:
    explicit FileDisk(std::string path) : path_(std::move(path)) {}
    std::string path_of(const std::string& name) const { return path_ + "/" + name; }

    std::string path_;
    int directory_ = -1;
    int lock_ = -1;
};

}  // namespace caribou
