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

/// Writes messages to logs, and starts a new log when the current one is large or old enough. The caller
/// supplies the time. Added messages are in the files after flush().
class Recorder {
public:
    struct Options {
        std::string name = "log";  ///< base name of the files; numbers are appended if there may be several
        std::uint64_t rotate_bytes = 0;  ///< 0: never
        Duration rotate_after{0};        ///< 0: never
        wire::AlogWriter::Style style{};
    };
    struct Stats {
        std::uint64_t messages = 0;
        std::uint64_t bytes = 0;  ///< written and buffered
        std::uint32_t logs = 0;
        std::string log{};  ///< name of the current log

        friend bool operator==(const Stats&, const Stats&) = default;
    };

    /// The files must outlive the recorder.
    Recorder(LogFiles& files, Options options) : files_(files), options_(std::move(options)) {}

    /// Starts the first log.
    Result<void> start(Instant now, double unix_seconds) { return begin(now, unix_seconds); }
    /// Buffers a message. After an error no more messages may be added; everything flushed before is in the
    /// files.
    Result<void> add(const wire::MessageView& message, Instant now, double unix_seconds);
    Result<void> flush();
    Result<void> finish();

    const Stats& stats() const { return stats_; }

private:
    /// Number of buffered bytes that triggers a write: few system calls, little loss on power failure.
    static constexpr std::size_t batch = 256_KiB;

    bool is_full(Instant now) const;
    Result<void> begin(Instant now, double unix_seconds);

    LogFiles& files_;
    Options options_;
    Stats stats_;
    std::optional<wire::AlogWriter> writer_;
    Instant began_{};
    std::uint64_t flushed_ = 0;  ///< bytes of the current log
};

}  // namespace caribou::bus
