#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "loop/time.hpp"

namespace caribou::link {

/// Remembers who failed to prove themselves, so that trying again and again costs us next to nothing and
/// fills no log. Bounded: when it is full, the one that failed longest ago is forgotten.
class FailedAttempts {
public:
    struct Limits {
        int failures = 5;  ///< after so many in a row of pauses shorter than `rest`, nobody listens
        Duration rest = std::chrono::seconds(60);
        std::size_t remembered = 1024;
    };

    FailedAttempts() = default;
    explicit FailedAttempts(Limits limits) : limits_(limits) {}

    bool may_try(const std::string& who, Instant now) const;
    /// Returns whether it is the first of its row: the one to tell people about.
    bool failed(const std::string& who, Instant now);
    void succeeded(const std::string& who) { rows_.erase(who); }
    std::size_t remembered() const { return rows_.size(); }
    const Limits& limits() const { return limits_; }

private:
    struct Row {
        int failures = 0;
        Instant last{};
    };
    bool is_over(const Row& row, Instant now) const { return now - row.last >= limits_.rest; }
    void make_room();

    Limits limits_{};
    std::map<std::string, Row> rows_;
};

}  // namespace caribou::link
