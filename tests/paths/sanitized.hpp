#pragma once

namespace caribou::tests {

/// Whether this program runs under a sanitizer, which makes it about ten times slower.
#if defined(__has_feature)  // clang
inline constexpr bool sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)  // g++
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace caribou::tests
