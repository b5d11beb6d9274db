#pragma once

#include <cstddef>
#include <string>

#include "base/canvas.hpp"
#include "world/world.hpp"

namespace caribou::world {

/// Returns the current world, seen from above.
Image picture(const World& world, double pixels_per_metre = 50);

/// Returns the same for a terminal, `columns` characters wide. legend() explains the characters.
std::string text_picture(const World& world, std::size_t columns = 80);
std::string legend();

}  // namespace caribou::world
