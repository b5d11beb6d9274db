#include "platform/event_file.hpp"

#include <cerrno>
#include <chrono>
#include <cmath>
#include <iterator>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "platform/system_error.hpp"

namespace caribou {

Result<EventFile> EventFile::open(const std::string& path) {
    EventFile made;
    made.file_.reset(std::fopen(path.c_str(), "ae"));
    if (!made.file_) return fail(system_error("cannot write " + path, errno));
    return made;
}

void EventFile::write(double unix_seconds, std::string_view text) {
    const double whole = std::floor(unix_seconds);
    const std::chrono::sys_seconds second(std::chrono::seconds(static_cast<std::int64_t>(whole)));
    std::string line =
        fmt::format("{:%FT%T}.{:03}Z ", fmt::gmtime(std::chrono::system_clock::to_time_t(second)),
                    static_cast<int>((unix_seconds - whole) * 1000));
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (code < 0x20 || code == 0x7f)
            fmt::format_to(std::back_inserter(line), "\\x{:02x}", code);
        else
            line += c;
    }
    line += '\n';
    std::fwrite(line.data(), 1, line.size(), file_.get());
    std::fflush(file_.get());
}

}  // namespace caribou
