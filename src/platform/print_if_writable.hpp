#pragma once

#include <string_view>

namespace caribou {

/// Returns whether a short write to the descriptor returns at once. A pipe that is full and not read, or a
/// stopped terminal, would block it.
bool is_writable(int descriptor);
/// Writes the first 4,096 bytes of a text, the length that never blocks a pipe that is writable. Writes
/// nothing if that would wait.
void print_if_writable(int descriptor, std::string_view text);

}  // namespace caribou
