#pragma once

#include <string_view>

namespace caribou::bench {

/// Ends the benchmark and its children: no result is better than a wrong one.
[[noreturn]] void give_up(std::string_view why);

/// Gives up with the system's error message unless `done`.
void need(bool done, std::string_view what);

}  // namespace caribou::bench
