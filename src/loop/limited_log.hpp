#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/log.hpp"
#include "loop/clock.hpp"

namespace caribou {

/// Passes the lines of one source to a log, so that a source that does not end cannot fill a disk. Lines
/// beyond the limit of a second are dropped, and their number is reported when the second is over. A long
/// line is cut.
class LimitedLog {
public:
    /// `source` begins the report. Log and clock must outlive this object.
    LimitedLog(Log& log, const Clock& clock, std::string source, std::size_t lines_per_second = 10)
        : log_(log), clock_(clock), source_(std::move(source)), limit_(lines_per_second) {}

    void write(Level level, std::string_view text);
    void info(std::string_view text) { write(Level::info, text); }
    void warning(std::string_view text) { write(Level::warning, text); }
    /// Reports the dropped lines if the second is over. Must be called now and then.
    void tick();

    static constexpr std::size_t max_text = 4096;  ///< bytes of a line

private:
    Log& log_;
    const Clock& clock_;
    std::string source_;
    std::size_t limit_;
    Instant second_{};         ///< its start
    std::size_t lines_ = 0;    ///< logged in this second
    std::size_t dropped_ = 0;  ///< not reported yet
};

}  // namespace caribou
