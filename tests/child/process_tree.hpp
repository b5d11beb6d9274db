#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace caribou::tests {

/// Returns the living children of a process; none if it has ended.
std::vector<pid_t> children_of(pid_t process);
/// Returns the state of a process as /proc reports it: `R`, `S`, `T` (stopped), `Z` (ended, not reaped); 0 if
/// it does not exist.
char state_of(pid_t process);
/// Returns whether a process has ended, be it reaped or not.
bool has_ended(pid_t process);
/// Sends a signal to one process. The test fails, and nothing is sent, if there is no process of this id,
/// which is -1 after the end of a child: to kill(), that means every process of the machine.
void send_signal(pid_t process, int number);
/// Returns the command line of a process, with its words separated by blanks; empty if it has ended.
std::string command_line_of(pid_t process);
/// Returns the session of a process, or -1 if it does not exist.
pid_t session_of(pid_t process);

}  // namespace caribou::tests
