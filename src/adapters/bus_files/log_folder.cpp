#include "adapters/bus_files/log_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <tuple>
#include <utility>

#include "platform/system_error.hpp"

namespace caribou {

LogFolder::~LogFolder() { std::ignore = close(); }

Result<void> LogFolder::create(File& file, std::string path) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
    if (descriptor < 0) {
        if (errno == EEXIST)
            return fail(Code::already_exists, path + " is there already; choose another name");
        return fail(system_error("cannot create " + path, errno));
    }
    file = {std::move(path), descriptor, 0};
    return {};
}

Result<void> LogFolder::append(File& file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file.descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) {
            const int why = errno;
            // Removes an incomplete line.
            std::ignore = ::ftruncate(file.descriptor, file.size);
            return fail(system_error("cannot write " + file.path, why));
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
        if (bytes.empty()) break;
    }
    file.size = ::lseek(file.descriptor, 0, SEEK_CUR);
    return {};
}

Result<void> LogFolder::close(File& file) {
    const int descriptor = std::exchange(file.descriptor, -1);
    if (descriptor < 0 || ::close(descriptor) == 0) return {};
    return fail(system_error("cannot finish " + file.path, errno));
}

Result<void> LogFolder::open(const std::string& name) {
    if (auto closed = close(); !closed) return closed;
    name_ = name;
    return create(lines_, name + ending_);
}

Result<void> LogFolder::append_lines(std::string_view lines) { return append(lines_, lines); }

Result<void> LogFolder::append_side(std::string_view side) {
    if (side_.descriptor < 0)
        if (auto made = create(side_, name_ + side_ending_); !made) return made;
    return append(side_, side);
}

Result<void> LogFolder::close() {
    const auto side = close(side_);
    auto lines = close(lines_);
    return side ? lines : side;
}

}  // namespace caribou
