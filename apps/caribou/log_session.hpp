#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "adapters/bus_files/log_folder.hpp"
#include "bus/recorder.hpp"
#include "bus/sync_log.hpp"

namespace caribou::app {

/// The files of one run of the logger, in a folder of their own (docs/formats/alog.md).
class LogSession {
public:
    struct Options {
        std::string path = ".";  ///< where the folder is made
        std::string name = "MOOSLog";
        std::string time_text{};  ///< appended to the name; may be empty
        bool has_alog = true;
        bool has_xlog = false;
        std::optional<std::vector<std::string>> columns{};  ///< of the synchronous log, if there is one
        int decimals = 5;
        wire::AlogWriter::Style style{};
        std::string mission_file{};  ///< copied; may be empty
    };

    /// Makes the folder, whose name is made unique, and starts the files.
    static Result<std::unique_ptr<LogSession>> open(const Options& options, Instant now, double unix_seconds);

    const std::string& folder() const { return folder_; }
    /// A logged value.
    Result<void> add(const wire::MessageView& message, Instant now, double stamp);
    /// A value that is omitted from the log.
    Result<void> add_omitted(const wire::MessageView& message, Instant now, double stamp);
    /// A message of the system.
    Result<void> add_system(const wire::MessageView& message, Instant now, double stamp);
    /// Writes the line of a tick of the synchronous log.
    Result<void> tick(double stamp);
    Result<void> flush();
    Result<void> finish();
    /// Copies a file into the folder, as `name._ending`.
    Result<void> copy(const std::string& path) const;
    std::uint64_t values() const { return log_.recorder ? log_.recorder->stats().messages : 0; }

private:
    struct Log {
        std::unique_ptr<LogFolder> files{};
        std::unique_ptr<bus::Recorder> recorder{};
    };

    LogSession() = default;
    Result<void> start(Log& log, const Options& options, const std::string& ending,
                       const std::string& side_ending, Instant now, double unix_seconds);
    static Result<void> add(Log& log, const wire::MessageView& message, Instant now, double stamp);

    std::string folder_;
    std::string stem_;
    double log_start_ = 0;
    Log log_;
    Log omitted_;
    Log system_;
    std::unique_ptr<LogFolder> ticks_;
    std::optional<bus::SyncLog> columns_;
};

}  // namespace caribou::app
