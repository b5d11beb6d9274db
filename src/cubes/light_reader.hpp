#pragma once

#include <expected>
#include <string_view>
#include <vector>

#include "base/text_fault.hpp"
#include "cubes/light_pattern.hpp"

namespace caribou::cubes {

/// Reads a light file (docs/formats/cube-lights.md). Returns all errors if there are any. A pattern that is
/// returned is guaranteed to compile.
std::expected<LightPattern, std::vector<TextFault>> read_lights(const NamedText& file);

/// Parses `#00ff80` or the name of a color. Returns Code::invalid_argument if it is neither.
Result<Color> parse_color(std::string_view text);
/// Returns the color as `#00ff80`.
std::string to_string(Color color);

}  // namespace caribou::cubes
