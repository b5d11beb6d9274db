#pragma once

#include <string>

#include "base/result.hpp"
#include "bus/mission.hpp"

namespace caribou {

/// Reads a mission file, with this process's environment behind its macros. Fails only if there is
/// no such file: what is wrong in it is among its findings.
Result<bus::Mission> read_mission_file(const std::string& path);

}  // namespace caribou
