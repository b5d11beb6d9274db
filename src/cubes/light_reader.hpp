#pragma once

#include <expected>
#include <string_view>
#include <vector>

#include "base/text_fault.hpp"
#include "cubes/light_pattern.hpp"

namespace caribou::cubes {

/// Reads a file of lights (docs/formats/cube-lights.md). Tells everything that is wrong with it; what
/// it returns compiles.
std::expected<LightPattern, std::vector<TextFault>> read_lights(const NamedText& file);

/// `#00ff80`, or the name of a colour. invalid_argument: neither.
Result<Color> parse_color(std::string_view text);
/// `#00ff80`.
std::string to_string(Color color);

}  // namespace caribou::cubes
