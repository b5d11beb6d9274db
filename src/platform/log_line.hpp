#pragma once

// Private to platform: what its logs have in common.

#include <memory>
#include <string>
#include <string_view>

#include <spdlog/logger.h>

#include "base/log.hpp"

namespace caribou {

/// Sets how lines look, and which are left out.
void prepare(spdlog::logger& logger, Level least);
/// Control characters, which may come from outside, are written as `\x1b`.
void write_line(spdlog::logger& logger, Level level, std::string_view text);

}  // namespace caribou
