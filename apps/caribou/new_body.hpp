#pragma once

#include <string_view>
#include <vector>

#include "caribou/new_app.hpp"

namespace caribou::app {

/// Returns the files that `caribou new body NAME` writes: the driver of a robot base in C++, its tests, a
/// robot's configuration, and build files.
std::vector<NewFile> new_body_files(std::string_view name);
/// The same in Python, which needs no build.
std::vector<NewFile> new_python_body_files(std::string_view name);

}  // namespace caribou::app
