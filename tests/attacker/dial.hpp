#pragma once

#include <string>

namespace caribou::tests {

/// Connects to a port of this machine. Returns -1 if no process is listening.
int dial(const std::string& at);

}  // namespace caribou::tests
