#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "wire/alog.hpp"

namespace caribou::wire {

/// Reads several logs as one, by the times of their values, also if the logs are not sorted. Values of the
/// same time keep the order of their log. Keeps the values in memory that come after a later one in their
/// log.
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
        double start = 0;
        std::optional<AlogEntry> next{};  ///< of the values that are in order in the log
        std::vector<AlogEntry> late{};    ///< the others, sorted
        std::size_t next_late = 0;

        /// Returns whether the next value is one of `late`.
        bool is_late() const;
        std::optional<double> time() const;
        AlogEntry take();
    };
    static std::vector<AlogEntry> late_values(std::string_view text);

    explicit AlogMerge(std::vector<Log> logs, double log_start)
        : logs_(std::move(logs)), log_start_(log_start) {}

    std::vector<Log> logs_;
    double log_start_;
};

}  // namespace caribou::wire
