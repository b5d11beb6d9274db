#pragma once

#include <sys/types.h>

#include "rounds.hpp"

namespace caribou::bench {

/// What a process has used of the processors so far.
Seconds cpu_time(pid_t process);

}  // namespace caribou::bench
