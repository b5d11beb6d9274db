#pragma once

#include <string>

#include "base/result.hpp"
#include "robot/robot_config.hpp"
#include "robot/self_check_record.hpp"

namespace caribou {

/// Returns the digest of the section [body] of a configuration and, for a linux body, of the wiring that it
/// names. Fails if the wiring cannot be read.
Result<std::string> body_digest(const robot::RobotConfig& config);

/// Returns why the body of that digest does not count as self-checked according to the file; empty if it
/// does.
std::string self_check_objection(const std::string& path, const std::string& digest);

/// Replaces the file at once. A file of a newer version is kept as PATH.newer.
Result<void> store_self_check(const std::string& path, const robot::SelfCheckRecord& record);

}  // namespace caribou
