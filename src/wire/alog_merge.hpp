#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "wire/alog.hpp"

namespace caribou::wire {

/// Reads several logs as one, by the times of their values. Each log is read once, in its own order: a log
/// that is not sorted leaves the result unsorted as well.
class AlogMerge {
public:
    /// The texts must outlive this object. Fails with the index of a log that has values but no LOGSTART line
    /// before them, in `Error::message`.
    static Result<AlogMerge> open(const std::vector<std::string_view>& texts);

    struct Value {
        std::size_t log;  ///< index of its log
        AlogEntry entry;
        double time;  ///< UNIX seconds
    };
    /// Returns the earliest of the next values of all logs, or nullopt at the end.
    std::optional<Value> next();
    /// Returns the earliest start of all logs, in UNIX seconds.
    double log_start() const { return log_start_; }

private:
    struct Log {
        AlogReader reader;
        std::optional<AlogEntry> next;
        double start;
    };
    explicit AlogMerge(std::vector<Log> logs, double log_start)
        : logs_(std::move(logs)), log_start_(log_start) {}

    std::vector<Log> logs_;
    double log_start_;
};

}  // namespace caribou::wire
