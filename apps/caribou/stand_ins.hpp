#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bus/launch_plan.hpp"

/// What `caribou launch` starts where a program of MOOS is not installed.
namespace caribou::app {

/// Returns what to use instead of a program that is left out: one that Caribou does not need and that is not
/// installed. Returns nullopt for all others.
std::optional<std::string_view> left_out_for(const bus::LaunchProgram& program);

/// Lets `self`, this program, take the place of a program of MOOS that is not installed.
void replace_missing(bus::LaunchProgram& program, const std::string& self);

/// Returns a warning for each program of a mission that a launch cannot start from here, because it is
/// neither installed nor replaced.
std::vector<bus::MissionFinding> missing_programs(const bus::Mission& mission);

}  // namespace caribou::app
