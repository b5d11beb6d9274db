#include "caribou/open_browser.hpp"

#include <cstdio>

#include <fmt/format.h>

#include "platform/detached_process.hpp"
#include "platform/environment.hpp"
#include "platform/terminal.hpp"

namespace caribou::app {

void open_browser(const std::string& address) {
    const bool has_desktop =
        !environment("DISPLAY").value_or("").empty() || !environment("WAYLAND_DISPLAY").value_or("").empty();
    if (!has_desktop || !stdout_is_terminal()) return;
    const auto opener = find_program("xdg-open");
    if (opener.empty() || !start_detached({opener.string(), address})) return;
    fmt::print("The page opens in your browser; `--no-browser` leaves that out.\n");
    std::fflush(stdout);
}

}  // namespace caribou::app
