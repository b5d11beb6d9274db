#include "platform/text_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

#include <fmt/format.h>

#include "platform/descriptor.hpp"
#include "platform/system_error.hpp"

namespace caribou {
namespace {

std::unexpected<Error> failed(std::string_view what, const std::string& path) {
    const int number = errno;
    return fail(number == ENOENT ? Code::not_found : Code::io,
                fmt::format("cannot {} {}: {}", what, path, system_words(number)));
}

Result<std::string> read_all(const Descriptor& file, const std::string& path, std::size_t most) {
    std::string text;
    Result<std::string> result;
    for (;;) {
        constexpr std::size_t step = 64_KiB;
        const std::size_t filled = text.size();
        text.resize(filled + step);
        const ssize_t size = ::read(file.get(), text.data() + filled, step);
        text.resize(filled + static_cast<std::size_t>(size > 0 ? size : 0));
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) result = failed("read", path);
        if (text.size() > most)
            result = fail(Code::limit_exceeded, fmt::format("{} has more than {} bytes", path, most));
        if (size <= 0 || !result) break;
    }
    if (result) result = std::move(text);
    return result;
}

}  // namespace

Result<std::string> read_text_file(const std::string& path, std::size_t most) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file) return failed("open", path);
    struct stat seen{};
    if (::fstat(file.get(), &seen) != 0 || !S_ISREG(seen.st_mode))
        return fail(Code::io, path + " is not a regular file");
    return read_all(file, path, most);
}

Result<void> write_text_file(const std::string& path, std::string_view text) {
    errno = 0;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << text << std::flush;
    if (!file) return failed("write", path);
    return {};
}

}  // namespace caribou
