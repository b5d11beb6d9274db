#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace caribou {

enum class Level { debug, info, warning, error };

std::string_view to_string(Level level);

/// The interface through which components report messages to users. Passed in by the caller. The
/// implementations that write to a terminal or a file are in platform.
class Log {
public:
    virtual ~Log() = default;
    virtual void write(Level level, std::string_view text) = 0;

    void debug(std::string_view text) { write(Level::debug, text); }
    void info(std::string_view text) { write(Level::info, text); }
    void warning(std::string_view text) { write(Level::warning, text); }
    void error(std::string_view text) { write(Level::error, text); }
};

/// Discards everything.
class NullLog final : public Log {
public:
    void write(Level, std::string_view) override {}
};

/// Keeps every line in memory, for tests.
class MemoryLog final : public Log {
public:
    struct Line {
        Level level;
        std::string text;
    };
    void write(Level level, std::string_view text) override { lines.push_back({level, std::string(text)}); }
    /// Returns whether any line contains the text.
    bool mentions(std::string_view text) const;

    std::vector<Line> lines;
};

}  // namespace caribou
