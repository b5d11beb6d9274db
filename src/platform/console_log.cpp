#include "platform/console_log.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>

#include "platform/log_line.hpp"

namespace caribou {

// A private logger, not one from spdlog's global registry.
struct ConsoleLog::Sink {
    spdlog::logger logger{"caribou", std::make_shared<spdlog::sinks::stderr_color_sink_mt>()};
};

ConsoleLog::ConsoleLog(Level least) : sink_(std::make_unique<Sink>()) { prepare(sink_->logger, least); }

ConsoleLog::~ConsoleLog() = default;

void ConsoleLog::write(Level level, std::string_view text) { write_line(sink_->logger, level, text); }

}  // namespace caribou
