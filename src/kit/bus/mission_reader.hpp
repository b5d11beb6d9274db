#pragma once

#include <string>

#include "base/result.hpp"
#include "bus/mission.hpp"

namespace caribou {

/// Reads a mission file and expands macros from this process's environment. Fails only if the file cannot be
/// read: errors in it are among its findings.
Result<bus::Mission> read_mission_file(const std::string& path);

}  // namespace caribou
