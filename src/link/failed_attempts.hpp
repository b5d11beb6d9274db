#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "loop/time.hpp"

namespace caribou::link {

/// Records peers that failed to authenticate, so that repeated attempts do not fill the log. It never blocks
/// a peer, because the identity is only claimed and a peer with a valid key must be admitted. Bounded: when
/// full, the entry with the oldest failure is removed.
class FailedAttempts {
public:
    struct Limits {
        Duration rest = std::chrono::seconds(60);  ///< time without a failure after which a new series starts
        std::size_t remembered = 1024;
    };

    FailedAttempts() = default;
    explicit FailedAttempts(Limits limits) : limits_(limits) {}

    /// Records a failure. Returns whether it is the first of a series, which should be logged.
    bool failed(const std::string& who, Instant now);
    /// Removes a peer that has authenticated, so that its next failure is logged.
    void succeeded(const std::string& who) { last_.erase(who); }
    std::size_t remembered() const { return last_.size(); }

private:
    void make_room();

    Limits limits_{};
    std::map<std::string, Instant> last_;  ///< time of the last failure per peer
};

}  // namespace caribou::link
