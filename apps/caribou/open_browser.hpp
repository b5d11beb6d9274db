#pragma once

#include <string>

namespace caribou::app {

/// Opens an address in the user's browser with `xdg-open`, if standard output is a terminal of a desktop
/// (DISPLAY or WAYLAND_DISPLAY is set) and there is such a program. Does not wait; nothing that it does or
/// prints reaches this process. Prints a line if the browser was asked to open it.
void open_browser(const std::string& address);

}  // namespace caribou::app
