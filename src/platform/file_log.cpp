#include "platform/file_log.hpp"

#include <spdlog/sinks/basic_file_sink.h>

#include "platform/log_line.hpp"

namespace caribou {

struct FileLog::Sink {
    explicit Sink(const std::string& path)
        : logger("caribou", std::make_shared<spdlog::sinks::basic_file_sink_mt>(path)) {}
    spdlog::logger logger;
};

FileLog::FileLog(std::unique_ptr<Sink> sink) : sink_(std::move(sink)) {}
FileLog::~FileLog() = default;

Result<std::unique_ptr<FileLog>> FileLog::open(const std::string& path, Level least) {
    try {
        auto sink = std::make_unique<Sink>(path);
        prepare(sink->logger, least);
        sink->logger.flush_on(spdlog::level::debug);
        return std::unique_ptr<FileLog>(new FileLog(std::move(sink)));
    } catch (const spdlog::spdlog_ex& error) {
        return fail(Code::io, std::string("the log cannot be opened: ") + error.what());
    }
}

void FileLog::write(Level level, std::string_view text) { write_line(sink_->logger, level, text); }

}  // namespace caribou
