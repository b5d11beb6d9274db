#pragma once

#include <memory>

#include "base/log.hpp"

namespace caribou {

/// Writes to standard error, a line each: `2026-01-31 13:59:59.123 warning: text`. Coloured on a
/// terminal only. Control characters, which may come from outside, are written as `\x1b`. Any
/// thread may call.
class ConsoleLog final : public Log {
public:
    /// Leaves out what is below `least`.
    explicit ConsoleLog(Level least = Level::info);
    ~ConsoleLog() override;
    void write(Level level, std::string_view text) override;

private:
    struct Sink;
    std::unique_ptr<Sink> sink_;
};

}  // namespace caribou
