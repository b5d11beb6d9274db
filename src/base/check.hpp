#pragma once

#include <source_location>
#include <string_view>

namespace caribou {

/// Ends the program with file, line and the broken promise. For programmer errors only: what
/// comes from outside gets a Result. Stays on in release.
[[noreturn]] void broken(std::string_view promise, std::source_location where);

inline void check(bool holds, std::string_view promise,
                  std::source_location where = std::source_location::current()) {
    if (!holds) [[unlikely]]
        broken(promise, where);
}

}  // namespace caribou
