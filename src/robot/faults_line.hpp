#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "loop/time.hpp"
#include "motion/body.hpp"

namespace caribou::robot {

/// Name of the fault that cuts the link of a simulated robot.
inline constexpr std::string_view link_fault = "link";

/// Carries out a line of the command `faults` on a simulated body: `show`, `break NAME`, `mend NAME` or
/// `help`. `cut_link` cuts the link for a time. Returns the answer.
Result<std::string> run_faults_line(motion::Body& body, std::string_view line,
                                    const std::function<void(Duration)>& cut_link);

}  // namespace caribou::robot
