#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// The marine view: shapes, node reports, a simulated vehicle, its controller and its helm (docs/marine.md).
namespace caribou::marine {

struct Color {
    std::uint8_t red = 0;
    std::uint8_t green = 0;
    std::uint8_t blue = 0;

    friend bool operator==(const Color&, const Color&) = default;
};

/// Returns the color of a name in lower case without underscores, or nullopt if there is none.
std::optional<Color> named_color(std::string_view name);

/// Returns the color that a text describes: a name in any case, with or without underscores; `hex:rr,gg,bb`;
/// or three numbers from 0 to 1. The separators `,`, `:`, `%`, `$` and `#` are equivalent. Nullopt if the
/// text is none of these.
std::optional<Color> parse_color(std::string_view text);

/// Returns whether the text means that nothing is drawn: `invisible`, `off` or `empty`.
bool is_invisible(std::string_view text);

/// Returns `#rrggbb`.
std::string css_text(Color color);

}  // namespace caribou::marine
