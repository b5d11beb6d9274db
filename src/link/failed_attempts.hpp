#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "loop/time.hpp"

namespace caribou::link {

/// Remembers peers that failed to prove themselves, so that trying again and again fills no log. It never
/// keeps anybody out: a peer is known only by what it claims, and whoever proves a key is let in. Bounded:
/// when it is full, the peer that failed longest ago is forgotten.
class FailedAttempts {
public:
    struct Limits {
        Duration rest = std::chrono::seconds(60);  ///< without a failure, after which a new series begins
        std::size_t remembered = 1024;
    };

    FailedAttempts() = default;
    explicit FailedAttempts(Limits limits) : limits_(limits) {}

    /// Counts a failure. Returns whether it is the first of a series: the one to log.
    bool failed(const std::string& who, Instant now);
    void succeeded(const std::string& who) { last_.erase(who); }
    std::size_t remembered() const { return last_.size(); }

private:
    void make_room();

    Limits limits_{};
    std::map<std::string, Instant> last_;  ///< failure of each
};

}  // namespace caribou::link
