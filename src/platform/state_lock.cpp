#include "platform/state_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "platform/system_error.hpp"

namespace caribou {

Result<StateLock> StateLock::take(const std::string& path, Use use) {
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
    Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!file) return fail(system_error(path, errno));
    if (::flock(file.get(), (use == Use::alone ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0)
        return StateLock(std::move(file));
    if (errno != EWOULDBLOCK) return fail(system_error(path, errno));
    return fail(Code::refused, fmt::format("{} is locked by another process", path));
}

}  // namespace caribou
