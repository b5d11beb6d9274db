#include "adapters/robot_files/config_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "platform/descriptor.hpp"
#include "platform/system_error.hpp"
#include "platform/text_file.hpp"
#include "robot/robot_config.hpp"

namespace caribou {
namespace {

bool write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

}  // namespace

Result<std::string> ConfigFile::read() { return read_text_file(path_, robot::max_config_size); }

Result<void> ConfigFile::write(const std::string& text) {
    const auto not_written = [&] {
        return fail(Code::io, fmt::format("{} was not written: {}", path_, system_words(errno)));
    };
    struct stat present{};
    const mode_t mode = ::stat(path_.c_str(), &present) == 0 ? present.st_mode & 07777U : 0644;
    const std::string draft = path_ + draft_;
    const auto not_written_and_removed = [&] {
        auto failure = not_written();
        ::unlink(draft.c_str());
        return failure;
    };
    {
        constexpr int access = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK;
        const Descriptor file(::open(draft.c_str(), access, mode));
        if (!file) return not_written();
        if (!write_all(file.get(), text) || ::fsync(file.get()) != 0) return not_written_and_removed();
    }
    if (std::rename(draft.c_str(), path_.c_str()) != 0) return not_written_and_removed();
    const auto parent = std::filesystem::absolute(path_).parent_path();
    const Descriptor directory(::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!directory || ::fsync(directory.get()) != 0) return not_written();
    return {};
}

}  // namespace caribou
