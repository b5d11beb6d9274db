#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "loop/time.hpp"

namespace caribou::app {

// Parse positive quantities.
Result<std::size_t> parse_count(std::string_view text);
/// Parses `65536`, `64KiB`, `8MiB`, `1GiB`.
Result<std::size_t> parse_size(std::string_view text);
/// Parses `5`, `5s`, `100ms`, `10min`, `1h`.
Result<Duration> parse_time(std::string_view text);

/// Returns `12.3 MiB`.
std::string size_text(double bytes);
/// Returns `1,234,567`.
std::string count_text(std::uint64_t count);
/// Returns `0:05`, `12:07`, `1:02:03`.
std::string clock_text(double seconds);

}  // namespace caribou::app
