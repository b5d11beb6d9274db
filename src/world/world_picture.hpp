#pragma once

#include <cstddef>
#include <string>

#include "base/canvas.hpp"
#include "world/world.hpp"

namespace caribou::world {

/// The world from above, as it is now.
Image picture(const World& world, double pixels_per_metre = 50);

/// The same for a terminal, `columns` letters wide; legend() says what they mean.
std::string text_picture(const World& world, std::size_t columns = 80);
std::string legend();

}  // namespace caribou::world
