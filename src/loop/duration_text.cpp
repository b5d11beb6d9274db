#include "loop/duration_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace caribou {
namespace {

using namespace std::chrono_literals;

struct Unit {
    std::string_view name;
    Duration length;
};

/// Ordered from the largest to the smallest.
constexpr std::array<Unit, 6> units{
    {{"h", 1h}, {"min", 1min}, {"s", 1s}, {"ms", 1ms}, {"us", 1us}, {"ns", 1ns}}};
constexpr Duration longest = 24h * 365 * 100;

}  // namespace

std::optional<Duration> duration_from(std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || !(number >= 0)) return std::nullopt;
    const std::string_view name(end, text.data() + text.size());
    for (const Unit& unit : units) {
        if (unit.name != name) continue;
        const double nanoseconds = std::round(number * static_cast<double>(unit.length.count()));
        if (nanoseconds > static_cast<double>(longest.count())) return std::nullopt;
        return Duration(static_cast<Duration::rep>(nanoseconds));
    }
    return std::nullopt;
}

std::string duration_text(Duration duration) {
    if (duration == 0ns) return "0s";
    for (const Unit& unit : units)
        if (duration % unit.length == 0ns) return fmt::format("{}{}", duration / unit.length, unit.name);
    return fmt::format("{}ns", duration.count());
}

}  // namespace caribou
