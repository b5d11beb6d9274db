#include "caribou/quantity.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>

#include <fmt/format.h>

namespace caribou::app {
namespace {

struct Unit {
    std::string_view name;
    double factor;
};

/// Parses a positive number with an optional unit.
Result<double> quantity(std::string_view text, std::string_view wanted, std::initializer_list<Unit> units) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view unit(end, text.data() + text.size());
    const auto found = std::ranges::find(units, unit, &Unit::name);
    if (error != std::errc{} || found == units.end() || !(number > 0) || number * found->factor > 1e15)
        return fail(Code::invalid_argument, fmt::format("`{}` is not {}", text, wanted));
    return number * found->factor;
}

Result<std::size_t> whole(Result<double> number) {
    if (!number) return fail(std::move(number.error()));
    return static_cast<std::size_t>(*number);
}

}  // namespace

Result<std::size_t> parse_count(std::string_view text) {
    return whole(quantity(text, "a number above 0", {{"", 1}}));
}

Result<std::size_t> parse_size(std::string_view text) {
    return whole(quantity(text, "a size such as 65536, 64KiB or 8MiB",
                          {{"", 1}, {"B", 1}, {"KiB", 1024}, {"MiB", 1 << 20}, {"GiB", 1 << 30}}));
}

Result<Duration> parse_time(std::string_view text) {
    const auto seconds = quantity(text, "a time such as 100ms or 5s",
                                  {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"min", 60}, {"h", 3600}});
    if (!seconds) return fail(seconds.error());
    return from_seconds(*seconds);
}

std::string size_text(double bytes) {
    constexpr std::array<std::string_view, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    for (; bytes >= 1024 && unit + 1 < units.size(); ++unit) bytes /= 1024;
    return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.1f} {}", bytes, units[unit]);
}

std::string count_text(std::uint64_t count) {
    std::string digits = std::to_string(count);
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
        digits.insert(static_cast<std::size_t>(at), 1, ',');
    return digits;
}

std::string clock_text(double seconds) {
    const auto whole_seconds = static_cast<std::int64_t>(std::clamp(seconds, 0.0, 1e12));
    const auto [hours, minutes, rest] =
        std::array{whole_seconds / 3600, whole_seconds / 60 % 60, whole_seconds % 60};
    return hours > 0 ? fmt::format("{}:{:02}:{:02}", hours, minutes, rest)
                     : fmt::format("{}:{:02}", minutes, rest);
}

}  // namespace caribou::app
