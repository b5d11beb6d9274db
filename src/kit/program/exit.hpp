#pragma once

namespace caribou::app {

/// Exit status of the program; scripts can rely on these.
enum class Exit : int {
    ok = 0,
    failed = 1,  ///< run-time error, with a message on stderr
    usage = 2,   ///< invalid command line
};

}  // namespace caribou::app
