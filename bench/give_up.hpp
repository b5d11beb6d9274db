#pragma once

#include <string_view>

namespace caribou::bench {

/// Ends the benchmark, and with it the children: no number is better than one that is a lie.
[[noreturn]] void give_up(std::string_view why);

/// Gives up with the system's own words unless `done`.
void need(bool done, std::string_view what);

}  // namespace caribou::bench
