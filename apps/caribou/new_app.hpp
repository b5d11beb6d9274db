#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace caribou::app {

struct NewFile {
    std::string path;  ///< below the app's own folder
    std::string text;
};

/// Whether a text can name an app: letters, digits and underscores, and a letter first.
bool is_app_name(std::string_view name);

/// What `caribou new app NAME` writes: a program, its test, a mission, and what builds them.
std::vector<NewFile> new_app_files(std::string_view name);

}  // namespace caribou::app
