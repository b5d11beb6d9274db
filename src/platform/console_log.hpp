#pragma once

#include <memory>

#include "platform/stamped_log.hpp"

namespace caribou {

/// Writes lines to standard error: `2026-01-31 13:59:59.123 warning: text`. Colored on a terminal only.
/// Control characters, which may come from outside, are escaped as `\x1b`. Does not wait for a terminal or a
/// pipe that is not read if lines are shorter than 4 KiB: lines are dropped, and their number is logged
/// later. Thread-safe.
class ConsoleLog final : public StampedLog {
public:
    /// Suppresses messages below `least`.
    explicit ConsoleLog(Level least = Level::info);
    ~ConsoleLog() override;
    void write_at(std::chrono::system_clock::time_point at, Level level, std::string_view text) override;

private:
    struct Sink;
    std::unique_ptr<Sink> sink_;
};

}  // namespace caribou
