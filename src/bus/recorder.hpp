#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/limits.hpp"
#include "base/result.hpp"
#include "bus/log_files.hpp"
#include "loop/time.hpp"
#include "wire/alog.hpp"

namespace caribou::bus {

/// Writes messages to logs, and begins a new log when one has become large or old. Whoever owns it
/// hands in the time; what was added is in the files after flush().
class Recorder {
public:
    struct Options {
        std::string name = "log";        ///< of the files; numbers are added if there may be several
        std::uint64_t rotate_bytes = 0;  ///< 0: never
        Duration rotate_after{0};        ///< 0: never
    };
    struct Stats {
        std::uint64_t messages = 0;
        std::uint64_t bytes = 0;  ///< in files and waiting
        std::uint32_t logs = 0;
        std::string log{};  ///< the one that is being written

        friend bool operator==(const Stats&, const Stats&) = default;
    };

    /// The files outlive the recorder.
    Recorder(LogFiles& files, Options options) : files_(files), options_(std::move(options)) {}

    /// Begins the first log.
    Result<void> start(Instant now, double unix_seconds) { return begin(now, unix_seconds); }
    /// After an error nothing more is to be added; what was flushed before is in the files.
    Result<void> add(const wire::MessageView& message, Instant now, double unix_seconds);
    Result<void> flush();
    Result<void> finish();

    const Stats& stats() const { return stats_; }

private:
    /// What is kept before it is written: few system calls, and little is lost with the power.
    static constexpr std::size_t batch = 256_KiB;

    bool is_full(Instant now) const;
    Result<void> begin(Instant now, double unix_seconds);

    LogFiles& files_;
    Options options_;
    Stats stats_;
    std::optional<wire::AlogWriter> writer_;
    Instant began_{};
    std::uint64_t flushed_ = 0;  ///< bytes of this log
};

}  // namespace caribou::bus
