#pragma once

#include <string>
#include <string_view>

namespace caribou::bus {

/// Returns the text of a .moos file with the global `key` set to `value`: lines outside of blocks that set it
/// are replaced (the old line is kept as a comment); if there is none, a line is added at the top.
std::string override_global(std::string_view text, std::string_view key, std::string_view value);

}  // namespace caribou::bus
