#pragma once

#include <filesystem>
#include <string_view>

namespace caribou::app {

/// Returns the path of a file or folder shipped with the program, such as `web` or `worlds/demo.toml`: in
/// `share/caribou` of an installation, or in `build` or `examples` of a source tree. Empty if there is none.
std::filesystem::path share_place(std::string_view name);

/// Returns the path of this program.
std::filesystem::path own_program();

}  // namespace caribou::app
