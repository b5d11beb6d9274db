#include "adapters/robot_files/pending_stop.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <random>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "adapters/openssl/sha256.hpp"
#include "motion/latch_record.hpp"
#include "platform/descriptor.hpp"
#include "platform/system_error.hpp"

namespace caribou {
namespace {

constexpr const char* shared_memory = "/dev/shm";

std::string shared_memory_path(const std::string& latch_path) {
    std::error_code error;
    std::filesystem::path full = std::filesystem::weakly_canonical(latch_path, error);
    if (error) full = std::filesystem::absolute(latch_path, error);
    return fmt::format("{}/caribou-stop-{}", shared_memory, sha256_of(full.string()).substr(0, 32));
}

std::unexpected<Error> pending_failure(const std::string& path, std::string_view what) {
    return fail(Code::io, fmt::format("{} was not {}: {}", path, what, system_words(errno)));
}

/// Opens a file if it is a regular one of this account or root's; root reads those of every account.
Descriptor open_trusted(const std::string& path, int access) {
    Descriptor file(::open(path.c_str(), access | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat found{};
    const uid_t self = ::geteuid();
    if (!file || ::fstat(file.get(), &found) != 0 || !S_ISREG(found.st_mode)) return {};
    if (self != 0 && found.st_uid != self && found.st_uid != 0) return {};
    return file;
}

/// Returns the files that begin with the path. Every account can create some.
std::vector<std::string> files_of(const std::string& path) {
    std::vector<std::string> found;
    std::error_code error;
    const std::filesystem::directory_iterator end;
    for (std::filesystem::directory_iterator i(shared_memory, error); !error && i != end; i.increment(error))
        if (i->path().native().starts_with(path)) found.push_back(i->path().native());
    return found;
}

/// Creates a file whose name no other account can guess and occupy.
Descriptor create_file(const std::string& path) {
    std::random_device random;
    const std::string name = fmt::format("{}-{:08x}{:08x}", path, random(), random());
    return Descriptor(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
}

}  // namespace

PendingStop::PendingStop(const std::string& latch_path) : path_(shared_memory_path(latch_path)) {}

Result<void> PendingStop::write(motion::StopCause cause) const {
    Descriptor file;
    for (const std::string& name : files_of(path_))
        if (!file) file = open_trusted(name, O_WRONLY);
    if (!file) file = create_file(path_);
    if (!file) return pending_failure(path_, "written");
    // The existence of the file is the stop. A text that is damaged, or mixed from two writers, loses the
    // cause.
    const std::string text = motion::file_text_of({cause});
    if (::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
        ::ftruncate(file.get(), static_cast<off_t>(text.size())) != 0)
        return pending_failure(path_, "written");
    return {};
}

Result<void> PendingStop::clear() const {
    // A file of another account cannot be removed, and does not count.
    for (const std::string& name : files_of(path_))
        if (open_trusted(name, O_RDONLY) && ::unlink(name.c_str()) != 0)
            return pending_failure(name, "removed");
    return {};
}

std::optional<motion::StopCause> PendingStop::read() const {
    for (const std::string& name : files_of(path_)) {
        const Descriptor file = open_trusted(name, O_RDONLY);
        if (!file) continue;
        std::array<char, 4096> room{};
        const ssize_t size = ::read(file.get(), room.data(), room.size());
        const std::string_view text(room.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
        const auto record = motion::latch_record_from(text);
        return record && record->stop ? *record->stop : motion::StopCause::state_lost;
    }
    return std::nullopt;
}

}  // namespace caribou
