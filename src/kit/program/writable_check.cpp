#include "kit/program/writable_check.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "platform/descriptor.hpp"
#include "platform/system_error.hpp"

namespace caribou::app {

Result<void> check_writable(const std::filesystem::path& file) {
    if (file.has_parent_path()) {
        std::error_code error;
        std::filesystem::path missing;
        std::filesystem::path folder = file.parent_path();
        for (; !std::filesystem::exists(folder, error) && folder.has_parent_path() && folder != missing;
             folder = folder.parent_path())
            missing = folder;
        if (!missing.empty()) {
            if (::mkdir(missing.c_str(), S_IRWXU) != 0) return fail(system_error(missing.string(), errno));
            ::rmdir(missing.c_str());
            return {};
        }
    }
    constexpr int access = O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    if (const Descriptor present(::open(file.c_str(), access)); present) return {};
    if (errno == ENXIO) return fail(Code::io, file.string() + " is a pipe that nobody reads");
    if (errno != ENOENT) return fail(system_error(file.string(), errno));
    const Descriptor made(::open(file.c_str(), access | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR));
    if (!made) return fail(system_error(file.string(), errno));
    ::unlink(file.c_str());
    return {};
}

}  // namespace caribou::app
