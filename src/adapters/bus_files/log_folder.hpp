#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "bus/log_files.hpp"

namespace caribou {

/// Logs as files. The name of a log is a path without extension; its folder must exist.
class LogFolder final : public bus::LogFiles {
public:
    explicit LogFolder(std::string ending = ".alog", std::string side_ending = ".blog")
        : ending_(std::move(ending)), side_ending_(std::move(side_ending)) {}
    ~LogFolder() override;
    LogFolder(const LogFolder&) = delete;
    LogFolder& operator=(const LogFolder&) = delete;

    Result<void> open(const std::string& name) override;
    Result<void> append_lines(std::string_view lines) override;
    Result<void> append_side(std::string_view side) override;
    Result<void> close() override;

private:
    struct File {
        std::string path{};
        int descriptor = -1;
        std::int64_t size = 0;
    };

    static Result<void> create(File& file, std::string path);
    static Result<void> append(File& file, std::string_view bytes);
    static Result<void> close(File& file);

    std::string ending_;
    std::string side_ending_;
    std::string name_;
    File lines_;
    File side_;
};

}  // namespace caribou
