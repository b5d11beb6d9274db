#pragma once

#include <expected>
#include <string>
#include <vector>

#include "base/text_fault.hpp"
#include "world/world_plan.hpp"

namespace caribou::world {

/// Reads a file of a world (docs/formats/world.md). Tells everything that is wrong with it; what it
/// returns can be built, and its starts are free.
std::expected<WorldPlan, std::vector<TextFault>> read_world(const NamedText& file);

/// Reads a script of faults: a file with nothing but `[[fault]]` tables, for any world.
std::expected<std::vector<Fault>, std::vector<TextFault>> read_faults(const NamedText& file);

/// The plan as such a file, which reads as the same plan.
std::string world_text(const WorldPlan& plan);

}  // namespace caribou::world
