#include "platform/console_log.hpp"

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include <algorithm>
#include <string>

namespace caribou {

namespace {

spdlog::level::level_enum to_spdlog(Level level) {
    switch (level) {
        case Level::debug: return spdlog::level::debug;
        case Level::info: return spdlog::level::info;
        case Level::warning: return spdlog::level::warn;
        case Level::error: return spdlog::level::err;
    }
    return spdlog::level::err;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

std::string with_controls_spelled_out(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        if (is_control(c))
            safe += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        else
            safe += c;
    }
    return safe;
}

}  // namespace

// A logger of our own, not one from spdlog's global registry.
struct ConsoleLog::Sink {
    spdlog::logger logger{"caribou", std::make_shared<spdlog::sinks::stderr_color_sink_mt>()};
};

ConsoleLog::ConsoleLog(Level least) : sink_(std::make_unique<Sink>()) {
    sink_->logger.set_pattern("%Y-%m-%d %H:%M:%S.%e %^%l%$: %v");
    sink_->logger.set_level(to_spdlog(least));
}

ConsoleLog::~ConsoleLog() = default;

void ConsoleLog::write(Level level, std::string_view text) {
    if (std::ranges::none_of(text, is_control)) return sink_->logger.log(to_spdlog(level), text);
    sink_->logger.log(to_spdlog(level), with_controls_spelled_out(text));
}

}  // namespace caribou
