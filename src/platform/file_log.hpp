#pragma once

#include <memory>
#include <string>

#include "base/log.hpp"
#include "base/result.hpp"

namespace caribou {

/// Like ConsoleLog, but appends to a file. Thread-safe.
class FileLog final : public Log {
public:
    /// Opens the file for appending. Messages below `least` are suppressed.
    static Result<std::unique_ptr<FileLog>> open(const std::string& path, Level least);
    ~FileLog() override;
    void write(Level level, std::string_view text) override;

private:
    struct Sink;
    explicit FileLog(std::unique_ptr<Sink> sink);
    std::unique_ptr<Sink> sink_;
};

}  // namespace caribou
