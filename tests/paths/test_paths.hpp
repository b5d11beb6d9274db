#pragma once

#include <string>
#include <string_view>

/// Where tests find files. Functions instead of macros, because a path on the command line of every test
/// would keep the compiler cache of one clone from serving another.
namespace caribou::tests {

/// Returns the absolute path of a file in the repository, such as "docs/robot.md".
std::string in_repository(std::string_view path);

/// Returns the absolute path of a file in the build folder, such as "caribou", the program itself.
std::string in_build(std::string_view path);

}  // namespace caribou::tests
