#include "loop/memory_disk.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "base/check.hpp"

namespace caribou {
namespace {

constexpr std::size_t sector = 512;

std::unexpected<Error> failed(std::string_view what) {
    return fail(Code::io, fmt::format("the disk in memory is configured to fail: {}", what));
}

/// Returns what is left of `now` after a power failure, if only `synced` was synced. The length is between
/// the two.
Bytes torn(const Bytes& synced, const Bytes& now, Random& random) {
    const auto [least, most] = std::minmax({synced.size(), now.size()});
    Bytes left(least + random.below(most - least + 1));
    for (std::size_t at = 0; at < left.size(); at += sector) {
        const bool written = random.chance(0.7);
        for (std::size_t i = at; i < std::min(at + sector, left.size()); ++i) {
            const bool safe = i < synced.size() && (i >= now.size() || synced[i] == now[i]);
            if (safe)
                left[i] = synced[i];
            else if (written && i < now.size())
                left[i] = now[i];
        }
    }
    return left;
}

}  // namespace

struct MemoryDisk::File {
    Bytes now;
    Bytes synced;
};

class MemoryDisk::Handle final : public DiskFile {
public:
    Handle(MemoryDisk& disk, std::shared_ptr<File> file)
        : disk_(disk), file_(std::move(file)), power_(disk.power_) {}
    Result<void> append(ByteView bytes) override {
        check(power_ == disk_.power_, "nothing is written by a program that has ended");
        return disk_.append(*file_, bytes);
    }
    Result<void> sync() override {
        check(power_ == disk_.power_, "nothing is synced by a program that has ended");
        return disk_.sync(*file_);
    }

private:
    MemoryDisk& disk_;
    std::shared_ptr<File> file_;
    std::shared_ptr<int> power_;
};

MemoryDisk::MemoryDisk() : power_(std::make_shared<int>()) {}
MemoryDisk::~MemoryDisk() = default;

bool MemoryDisk::may_change() {
    if (calls_left_ == 0) return false;
    if (calls_left_ != std::numeric_limits<std::size_t>::max()) calls_left_ -= 1;
    return true;
}

Result<std::vector<std::string>> MemoryDisk::list() {
    std::vector<std::string> all;
    for (const auto& [name, file] : names_) all.push_back(name);
    return all;
}

Result<FileImage> MemoryDisk::read(const std::string& name) {
    const auto found = names_.find(name);
    if (found == names_.end()) return fail(Code::not_found, fmt::format("there is no file {}", name));
    const auto bytes = std::make_shared<const Bytes>(found->second->now);
    return FileImage(*bytes, bytes);
}

Result<FileImage> MemoryDisk::map(const std::string& name) { return read(name); }

Result<std::uint64_t> MemoryDisk::size(const std::string& name) {
    const auto found = names_.find(name);
    if (found == names_.end()) return fail(Code::not_found, fmt::format("there is no file {}", name));
    return found->second->now.size();
}

Result<std::unique_ptr<DiskFile>> MemoryDisk::create(const std::string& name) {
    if (!may_change()) return failed("create");
    auto file = std::make_shared<File>();
    names_[name] = file;
    since_sync_.push_back(names_);
    return std::make_unique<Handle>(*this, std::move(file));
}

Result<std::unique_ptr<DiskFile>> MemoryDisk::reopen(const std::string& name, std::size_t size) {
    const auto found = names_.find(name);
    if (found == names_.end()) return fail(Code::not_found, fmt::format("there is no file {}", name));
    if (!may_change()) return failed("reopen");
    Bytes& bytes = found->second->now;
    if (size < bytes.size()) bytes.resize(size);
    return std::make_unique<Handle>(*this, found->second);
}

Result<void> MemoryDisk::rename(const std::string& from, const std::string& to) {
    if (!may_change()) return failed("rename");
    auto node = names_.extract(from);
    if (node.empty()) return fail(Code::not_found, fmt::format("there is no file {}", from));
    names_[to] = node.mapped();
    since_sync_.push_back(names_);
    return {};
}

Result<void> MemoryDisk::remove(const std::string& name) {
    if (!may_change()) return failed("remove");
    if (names_.erase(name) == 0) return fail(Code::not_found, fmt::format("there is no file {}", name));
    since_sync_.push_back(names_);
    return {};
}

Result<void> MemoryDisk::sync_names() {
    if (!may_change()) return failed("sync_names");
    synced_names_ = names_;
    since_sync_.clear();
    return {};
}

Result<void> MemoryDisk::append(File& file, ByteView bytes) {
    if (!may_change()) {
        caribou::append(file.now, bytes.first(bytes.size() / 2));
        return failed("append");
    }
    const std::size_t room = capacity_ - std::min(capacity_, used());
    caribou::append(file.now, bytes.first(std::min(room, bytes.size())));
    if (room < bytes.size()) return fail(Code::io, "no space left on device");
    return {};
}

Result<void> MemoryDisk::sync(File& file) {
    if (!may_change()) return failed("sync");
    file.synced = file.now;
    return {};
}

void MemoryDisk::cut_power(Random& random) {
    const std::size_t moment = random.below(since_sync_.size() + 1);
    names_ = moment == 0 ? synced_names_ : since_sync_[moment - 1];
    for (auto& [name, file] : names_) {
        const auto survivor = std::make_shared<File>();
        survivor->now = survivor->synced = torn(file->synced, file->now, random);
        file = survivor;
    }
    synced_names_ = names_;
    since_sync_.clear();
    kill();
}

void MemoryDisk::kill() {
    power_ = std::make_shared<int>();
    calls_left_ = std::numeric_limits<std::size_t>::max();
}

Bytes& MemoryDisk::bytes(const std::string& name) {
    const auto found = names_.find(name);
    check(found != names_.end(), "the file is there");
    return found->second->now;
}

std::size_t MemoryDisk::used() const {
    std::size_t sum = 0;
    for (const auto& [name, file] : names_) sum += file->now.size();
    return sum;
}

}  // namespace caribou
