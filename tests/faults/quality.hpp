#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

#include <sanitized.hpp>

#include "loop/time.hpp"

namespace caribou::tests {

/// The service that well-behaved clients received during a measurement.
struct Quality {
    Duration p50{};         ///< from a client's notify to its reader's callback
    Duration worst_gap{};   ///< between two messages of one client's steady stream
    Duration worst_tick{};  ///< lateness of the clients' own timer: the effect of the machine alone
    std::size_t messages = 0;
};

/// The guarantee: during every fault the p50 is at most twice the usual one, and there is no gap over 100 ms.
/// `usual` was measured just before, undisturbed, in the same test.
///
/// Effects of the machine are excluded as far as they can be measured:
/// - A p50 of 0.1 ms doubles if any other program uses the processor. Increases below `noise` are ignored.
/// - The lateness of the clients' own timer shows how long the machine delays a process. A message waits for
///   three processes: writer, broker and reader. So three times the lateness is added to the gap.
/// Under a sanitizer broker and disturber take about ten times as long, so the same guarantees are checked
/// with `slower` times the tolerance.
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
