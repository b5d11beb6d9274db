#include "marine/color.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "base/number_text.hpp"
#include "marine/fields.hpp"

namespace caribou::marine {
namespace {

constexpr std::string_view color_separators = ",:%$#";

std::vector<std::string_view> color_parts(std::string_view text) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t end = text.find_first_of(color_separators);
        parts.push_back(trimmed(text.substr(0, end)));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::optional<std::uint8_t> hex_byte(std::string_view digits) {
    std::uint8_t value = 0;
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (failed != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

std::optional<std::uint8_t> fraction(std::string_view text) {
    const auto number = number_in(text);
    if (!number || *number < 0 || *number > 1) return std::nullopt;
    return static_cast<std::uint8_t>(std::lround(*number * 255));
}

/// gray70: 70 %, in steps of 5.
std::optional<Color> gray_of(std::string_view name) {
    if (!name.starts_with("gray") && !name.starts_with("grey")) return std::nullopt;
    const auto percent = number_in(name.substr(4));
    if (!percent || name.size() != 6 || *percent < 5 || *percent > 95 || std::fmod(*percent, 5) != 0)
        return std::nullopt;
    const auto level = static_cast<std::uint8_t>(std::lround(*percent * 2.55));
    return Color{level, level, level};
}

}  // namespace

std::optional<Color> parse_color(std::string_view text) {
    const std::string name = lower(trimmed(text));
    const auto parts = color_parts(name);
    const bool is_hex = parts.size() == 4 && parts[0] == "hex";
    if (is_hex || parts.size() == 3) {
        const auto component = [&](std::size_t i) {
            return is_hex ? hex_byte(parts[i + 1]) : fraction(parts[i]);
        };
        const auto red = component(0);
        const auto green = component(1);
        const auto blue = component(2);
        if (!red || !green || !blue) return std::nullopt;
        return Color{*red, *green, *blue};
    }
    std::string plain;
    for (const char c : name)
        if (c != '_') plain += c;
    if (const auto gray = gray_of(plain)) return gray;
    return named_color(plain);
}

bool is_invisible(std::string_view text) {
    const std::string name = lower(trimmed(text));
    return name == "invisible" || name == "off" || name == "empty";
}

std::string css_text(Color color) {
    return fmt::format("#{:02x}{:02x}{:02x}", color.red, color.green, color.blue);
}

}  // namespace caribou::marine
