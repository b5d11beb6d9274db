#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "platform/stamped_log.hpp"

namespace caribou {

/// Like ConsoleLog, but appends to a file, and waits for it. Thread-safe.
class FileLog final : public StampedLog {
public:
    /// Opens the file for appending. Fails for a pipe that nobody reads. Messages below `least` are
    /// suppressed.
    static Result<std::unique_ptr<FileLog>> open(const std::string& path, Level least);
    ~FileLog() override;
    void write_at(std::chrono::system_clock::time_point at, Level level, std::string_view text) override;

private:
    struct Sink;
    explicit FileLog(std::unique_ptr<Sink> sink);
    std::unique_ptr<Sink> sink_;
};

}  // namespace caribou
