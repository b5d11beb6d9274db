#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace caribou {

inline constexpr std::size_t operator""_KiB(unsigned long long n) { return n << 10; }
inline constexpr std::size_t operator""_MiB(unsigned long long n) { return n << 20; }

/// Returns the error message for an exceeded limit: `limit max_message reached: 5 of at most 4 bytes`.
std::string limit_reached(std::string_view name, std::size_t wanted, std::size_t limit,
                          std::string_view unit);

}  // namespace caribou
