#pragma once

#include <string_view>
#include <vector>

#include "caribou/new_app.hpp"

namespace caribou::app {

/// Returns whether a text is a valid name of a behavior: small letters, digits and underscores, starting with
/// a letter.
bool is_behavior_name(std::string_view name);

/// Return the files that `caribou new` writes, each with a test. A behavior in C++ is a robot program; one in
/// Python is a program that a robot starts, with a configuration of that robot; a robot is a configuration
/// and a tree.
std::vector<NewFile> new_behavior_files(std::string_view name);
std::vector<NewFile> new_python_behavior_files(std::string_view name);
std::vector<NewFile> new_tree_files(std::string_view name);
std::vector<NewFile> new_python_tree_files(std::string_view name);
std::vector<NewFile> new_robot_files(std::string_view name);

}  // namespace caribou::app
