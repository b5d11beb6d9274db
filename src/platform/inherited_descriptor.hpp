#pragma once

#include <string>

#include "platform/descriptor.hpp"

namespace caribou {

/// Returns the descriptor whose number the process that started this one has put into an environment
/// variable, and closes it in children of this process; none if there is no such variable or descriptor.
Descriptor inherited_descriptor(const std::string& variable);

}  // namespace caribou
