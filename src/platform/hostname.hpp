#pragma once

#include <string>

namespace caribou {

/// Returns this machine's name, or `localhost` if it has none.
std::string hostname();

}  // namespace caribou
