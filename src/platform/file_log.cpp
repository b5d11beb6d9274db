#include "platform/file_log.hpp"

#include <fcntl.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "platform/descriptor.hpp"
#include "platform/descriptor_sink.hpp"
#include "platform/log_line.hpp"
#include "platform/system_error.hpp"

namespace caribou {

struct FileLog::Sink {
    explicit Sink(Descriptor opened) : file(std::move(opened)) {}
    Descriptor file;
    spdlog::logger logger{"caribou", std::make_shared<DescriptorSink>(file.get(), false)};
};

FileLog::FileLog(std::unique_ptr<Sink> sink) : sink_(std::move(sink)) {}
FileLog::~FileLog() = default;

Result<std::unique_ptr<FileLog>> FileLog::open(const std::string& path, Level least) {
    std::error_code ignored;  // the file cannot be opened then
    if (const auto folder = std::filesystem::path(path).parent_path(); !folder.empty())
        std::filesystem::create_directories(folder, ignored);
    // Without waiting for a reader, if it is a pipe; writing waits.
    constexpr int access = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    Descriptor file(::open(path.c_str(), access, 0666));
    if (!file && errno == ENXIO)
        return fail(Code::io, "the log cannot be opened: " + path + " is a pipe that nobody reads");
    if (!file || ::fcntl(file.get(), F_SETFL, O_APPEND) != 0)
        return fail(system_error("the log cannot be opened: " + path, errno));
    auto sink = std::make_unique<Sink>(std::move(file));
    prepare(sink->logger, least);
    return std::unique_ptr<FileLog>(new FileLog(std::move(sink)));
}

void FileLog::write_at(std::chrono::system_clock::time_point at, Level level, std::string_view text) {
    write_line(sink_->logger, at, level, text);
}

}  // namespace caribou
