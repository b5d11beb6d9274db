#pragma once

#include <optional>

#include "base/result.hpp"

namespace caribou {

/// Continues in a session of its own, which no key of a terminal and no signal to the caller's process group
/// reaches. Unless this process leads a session without a terminal already, a child continues, while this
/// process waits for it, forwards SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGPWR, and ignores SIGTSTP. Returns
/// nullopt in the process that continues, and the exit status of that one in the process that waited. A child
/// whose parent is killed receives SIGTERM. Called before the process has threads.
Result<std::optional<int>> continue_in_own_session();

/// The exit status of a shell for a status of waitpid: 128 and the number of the signal that ended it.
int exit_status_of(int wait_status);

}  // namespace caribou
