#include "platform/log_line.hpp"

#include <fmt/format.h>

#include <algorithm>

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

void prepare(spdlog::logger& logger, Level least) {
    logger.set_pattern("%Y-%m-%d %H:%M:%S.%e %^%l%$: %v");
    logger.set_level(to_spdlog(least));
}

void write_line(spdlog::logger& logger, std::chrono::system_clock::time_point at, Level level,
                std::string_view text) {
    const bool is_safe = std::ranges::none_of(text, is_control);
    logger.log(at, {}, to_spdlog(level), is_safe ? std::string(text) : with_controls_spelled_out(text));
}

}  // namespace caribou
