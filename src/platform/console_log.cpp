#include "platform/console_log.hpp"

#include <poll.h>
#include <unistd.h>

#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include "platform/log_line.hpp"

namespace caribou {
namespace {

/// Returns whether a short write to standard error returns at once.
bool takes_a_line() {
    pollfd output{STDERR_FILENO, POLLOUT, 0};
    return ::poll(&output, 1, 0) != 0;
}

}  // namespace

// A private logger, not one from spdlog's global registry.
struct ConsoleLog::Sink {
    spdlog::logger logger{"caribou", std::make_shared<spdlog::sinks::stderr_color_sink_mt>()};
    Level least;
    std::mutex mutex;
    std::size_t dropped = 0;  // guarded by mutex
};

ConsoleLog::ConsoleLog(Level least) : sink_(std::make_unique<Sink>()) {
    prepare(sink_->logger, least);
    sink_->least = least;
}

ConsoleLog::~ConsoleLog() = default;

void ConsoleLog::write(Level level, std::string_view text) {
    if (level < sink_->least) return;
    const std::lock_guard lock(sink_->mutex);
    if (!takes_a_line()) {
        ++sink_->dropped;
        return;
    }
    if (const std::size_t dropped = std::exchange(sink_->dropped, 0); dropped > 0)
        write_line(sink_->logger, Level::warning, fmt::format("{} lines of the log were dropped", dropped));
    write_line(sink_->logger, level, text);
}

}  // namespace caribou
