#include "platform/file_disk.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "platform/mapped_file.hpp"
#include "platform/system_error.hpp"

namespace caribou {
namespace {

constexpr mode_t for_the_owner = 0600;  // values may be secret
constexpr mode_t directory_for_the_owner = 0700;

std::unexpected<Error> failed(const std::string& what) { return fail(system_error(what, errno)); }

/// Limit per call: writing megabytes at once takes at least twice as long on Linux (measured on ext4).
constexpr std::size_t largest_write = 256_KiB;

class File final : public DiskFile {
public:
    File(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
    ~File() override { ::close(descriptor_); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    Result<void> append(ByteView bytes) override {
        while (!bytes.empty()) {
            const ssize_t written = ::write(descriptor_, bytes.data(), std::min(bytes.size(), largest_write));
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) return failed("cannot write " + path_);
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        }
        return {};
    }

    Result<void> sync() override {
        if (::fdatasync(descriptor_) != 0) return failed("cannot make durable " + path_);
        return {};
    }

private:
    const int descriptor_;
    const std::string path_;
};

}  // namespace

Result<std::unique_ptr<FileDisk>> FileDisk::open(const std::string& path) {
    std::unique_ptr<FileDisk> disk(new FileDisk(path));
    if (::mkdir(path.c_str(), directory_for_the_owner) != 0 && errno != EEXIST)
        return failed("cannot make the directory " + path);
    disk->directory_ = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (disk->directory_ < 0) return failed("cannot open the directory " + path);
    const std::string lock = disk->path_of("lock");
    disk->lock_ = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, for_the_owner);
    if (disk->lock_ < 0) return failed("cannot open " + lock);
    // The kernel releases the lock when the process ends for any reason.
    if (::flock(disk->lock_, LOCK_EX | LOCK_NB) == 0) return disk;
    if (errno != EWOULDBLOCK) return failed("cannot lock " + lock);
    return fail(
        Code::already_exists,
        fmt::format("another program keeps its values in {}: end it, or name another directory", path));
}

Result<void> FileDisk::check(const std::string& path) {
    if (::access(path.c_str(), F_OK) != 0) {
        auto self = std::filesystem::absolute(path).lexically_normal();
        if (!self.has_filename()) self = self.parent_path();  // PATH/
        const std::string parent = self.parent_path();
        const int folder = ::open(parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (folder < 0) return failed("cannot make the directory " + path);
        ::close(folder);
        if (::access(parent.c_str(), W_OK | X_OK) != 0) return failed("cannot make the directory " + path);
        return {};
    }
    const int directory = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return failed("cannot open the directory " + path);
    ::close(directory);
    if (::access(path.c_str(), W_OK | X_OK) != 0) return failed("cannot write to the directory " + path);
    return {};
}

FileDisk::~FileDisk() {
    for (const int descriptor : {lock_, directory_})
        if (descriptor >= 0) ::close(descriptor);
}

Result<std::vector<std::string>> FileDisk::list() {
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(path_, error), end; !error && entry != end;
         entry.increment(error))
        names.push_back(entry->path().filename());
    if (error) return fail(system_error("cannot read the directory " + path_, error.value()));
    return names;
}

Result<FileImage> FileDisk::read(const std::string& name) {
    auto file = MappedFile::open(path_of(name));
    if (!file) return fail(std::move(file.error()));
    if (!file->bring_in()) return failed("cannot read " + path_of(name));
    const auto holder = std::make_shared<const MappedFile>(std::move(*file));
    return FileImage(bytes_of(holder->text()), holder);
}

Result<FileImage> FileDisk::map(const std::string& name) {
    auto file = MappedFile::open(path_of(name));
    if (!file) return fail(std::move(file.error()));
    const auto holder = std::make_shared<const MappedFile>(std::move(*file));
    return FileImage(bytes_of(holder->text()), holder);
}

Result<std::uint64_t> FileDisk::size(const std::string& name) {
    std::error_code error;
    const auto size = std::filesystem::file_size(path_of(name), error);
    if (error) return fail(system_error("cannot look at " + path_of(name), error.value()));
    return size;
}

Result<std::unique_ptr<DiskFile>> FileDisk::create(const std::string& name) {
    const std::string path = path_of(name);
    const int descriptor =
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, for_the_owner);
    if (descriptor < 0) return failed("cannot make " + path);
    return std::make_unique<File>(descriptor, path);
}

Result<std::unique_ptr<DiskFile>> FileDisk::reopen(const std::string& name, std::size_t size) {
    const std::string path = path_of(name);
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (descriptor < 0) return failed("cannot open " + path);
    auto file = std::make_unique<File>(descriptor, path);
    if (::ftruncate(descriptor, static_cast<off_t>(size)) != 0) return failed("cannot cut " + path);
    return file;
}

Result<void> FileDisk::rename(const std::string& from, const std::string& to) {
    if (::rename(path_of(from).c_str(), path_of(to).c_str()) != 0)
        return failed(fmt::format("cannot rename {} to {}", path_of(from), to));
    return {};
}

Result<void> FileDisk::remove(const std::string& name) {
    if (::unlink(path_of(name).c_str()) != 0) return failed("cannot remove " + path_of(name));
    return {};
}

Result<void> FileDisk::sync_names() {
    if (::fsync(directory_) != 0) return failed("cannot make durable " + path_);
    return {};
}

}  // namespace caribou
