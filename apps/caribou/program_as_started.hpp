#pragma once

#include <string>

namespace caribou::app {

/// Returns the word that starts this program again: the path it was started by, or `caribou` if it was found
/// on the PATH.
std::string program_as_started();

}  // namespace caribou::app
