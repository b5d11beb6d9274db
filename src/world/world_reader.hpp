#pragma once

#include <expected>
#include <string>
#include <vector>

#include "base/text_fault.hpp"
#include "world/world_plan.hpp"

namespace caribou::world {

/// Reads a world file (docs/formats/world.md). Returns all errors if there are any. A plan that is returned
/// can be built, and its starts are free.
std::expected<WorldPlan, std::vector<TextFault>> read_world(const NamedText& file);

/// Reads a fault script: a file that contains only `[[fault]]` tables, and can be used with any world.
std::expected<std::vector<Fault>, std::vector<TextFault>> read_faults(const NamedText& file);

/// Returns the plan as a world file, from which read_world() restores the same plan.
std::string world_text(const WorldPlan& plan);

}  // namespace caribou::world
