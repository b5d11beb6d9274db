#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace caribou::app {

struct NewFile {
    std::string path;  ///< relative to the new folder
    std::string text;
    bool is_program = false;  ///< it can be executed
};

/// Returns whether a text is a valid name of an app or a body: letters, digits and underscores, starting with
/// a letter.
bool is_app_name(std::string_view name);

/// Returns the files that `caribou new app NAME` writes: a program, its test, a mission, and build files.
std::vector<NewFile> new_app_files(std::string_view name);

}  // namespace caribou::app
