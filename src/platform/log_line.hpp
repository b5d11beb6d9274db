#pragma once

// Shared by the logs of platform. Private to platform.

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include <spdlog/logger.h>

#include "base/log.hpp"

namespace caribou {

/// Sets the line format, and the least level that is logged.
void prepare(spdlog::logger& logger, Level least);
/// Escapes control characters, which may come from outside, as `\x1b`.
void write_line(spdlog::logger& logger, std::chrono::system_clock::time_point at, Level level,
                std::string_view text);

}  // namespace caribou
