#include "platform/console_log.hpp"

#include <unistd.h>

#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <spdlog/details/os.h>

#include "platform/descriptor_sink.hpp"
#include "platform/log_line.hpp"
#include "platform/print_if_writable.hpp"

namespace caribou {
namespace {

bool is_colored() { return ::isatty(STDERR_FILENO) == 1 && spdlog::details::os::is_color_terminal(); }

}  // namespace

// A private logger, not one from spdlog's global registry.
struct ConsoleLog::Sink {
    spdlog::logger logger{"caribou", std::make_shared<DescriptorSink>(STDERR_FILENO, is_colored())};
    Level least;
    std::mutex mutex;
    std::size_t dropped = 0;  // guarded by mutex
};

ConsoleLog::ConsoleLog(Level least) : sink_(std::make_unique<Sink>()) {
    prepare(sink_->logger, least);
    sink_->least = least;
}

ConsoleLog::~ConsoleLog() = default;

void ConsoleLog::write_at(std::chrono::system_clock::time_point at, Level level, std::string_view text) {
    if (level < sink_->least) return;
    const std::lock_guard lock(sink_->mutex);
    if (!is_writable(STDERR_FILENO)) {
        ++sink_->dropped;
        return;
    }
    if (const std::size_t dropped = std::exchange(sink_->dropped, 0); dropped > 0)
        write_line(sink_->logger, at, Level::warning,
                   fmt::format("{} lines of the log were dropped", dropped));
    write_line(sink_->logger, at, level, text);
}

}  // namespace caribou
