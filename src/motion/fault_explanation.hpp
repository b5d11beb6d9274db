#pragma once

#include <string_view>

#include "motion/motion.hpp"

namespace caribou::motion {

/// Returns what a fault means and what to do about it, for people.
std::string_view explanation(MotionFault fault);

}  // namespace caribou::motion
