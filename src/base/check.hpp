#pragma once

#include <source_location>
#include <string_view>

namespace caribou {

/// Prints file, line and the violated condition, then aborts the program. For programming errors only;
/// invalid input is reported with a Result. Also active in release builds.
[[noreturn]] void broken(std::string_view promise, std::source_location where);

inline void check(bool holds, std::string_view promise,
                  std::source_location where = std::source_location::current()) {
    if (!holds) [[unlikely]]
        broken(promise, where);
}

}  // namespace caribou
