#pragma once

#include <string>
#include <vector>

#include "caribou/commands.hpp"
#include "kit/bus/app_main.hpp"

namespace caribou::app {

/// Runs an app that is a command of this program, with the words after the command. Unknown words of
/// its block are warnings, since it takes the place of another program.
Exit run_own_app(std::vector<std::string> words, bus::AppSettings defaults, NetworkAppMaker make);

}  // namespace caribou::app
