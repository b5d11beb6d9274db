#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "loop/time.hpp"

namespace caribou::tests {

/// How well the bus served its well-behaved clients for a while.
struct Quality {
    Duration p50{};         ///< from a client's notify to its reader's callback
    Duration worst_gap{};   ///< between two messages of one client's steady stream
    Duration worst_tick{};  ///< by how much the clients' own timer was late: what the machine alone did
    std::size_t messages = 0;
};

#if defined(__has_feature)  // clang
inline constexpr bool sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)  // g++
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// What is promised: through every fault the p50 stays within twice the usual one, and there is no
/// gap over 100 ms. `usual` was measured just before, undisturbed, in the same test.
///
/// The machine has a say, too, and is left out of the account as far as it can be seen:
/// - A p50 of 0.1 ms is doubled by any other program that wants the processor. What it grows by
///   less than `noise` is not ours to judge.
/// - By how much the clients' own timer was late tells how long the machine lets a program wait. A
///   message waits for three: its writer, the broker and its reader. So much is added to the gap.
/// Under a sanitizer everything that broker and disturber do takes some ten times as long, so what
/// fits between two messages there is less: the same promises hold with `slower` times the room.
struct Allowed {
    explicit Allowed(const Quality& usual, const Quality& now)
        : p50(std::max(usual.p50 * 2, usual.p50 + noise) * (sanitized ? slower : 1)),
          gap(std::chrono::milliseconds(100) * (sanitized ? slower : 1) +
              3 * std::max(usual.worst_tick, now.worst_tick)) {}

    static constexpr Duration noise = std::chrono::microseconds(500);
    static constexpr int slower = 10;

    Duration p50;
    Duration gap;
};

}  // namespace caribou::tests
