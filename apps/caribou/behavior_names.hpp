#pragma once

#include <string>
#include <string_view>

namespace caribou::app {

/// Return why a project cannot have this name, or an empty string if it can: because of its file in Python,
/// or of its class of behaviors.
std::string objection_to_python_file(std::string_view name);
std::string objection_to_behavior(std::string_view name, bool in_python);

}  // namespace caribou::app
