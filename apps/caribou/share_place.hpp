#pragma once

#include <filesystem>
#include <string_view>

namespace caribou::app {

/// Where something stands that comes with the program, such as `web` or `worlds/demo.toml`: in
/// `share/caribou` where the program is installed, in `build` or `examples` where it was built. Empty:
/// nowhere.
std::filesystem::path share_place(std::string_view name);

/// This program itself.
std::filesystem::path own_program();

}  // namespace caribou::app
