#pragma once

#include <string>
#include <string_view>

#include "base/random.hpp"
#include "base/result.hpp"

namespace caribou::bus {

/// A number, or a range from which one is drawn: `5` or `5:10`.
struct NumberSpan {
    double low = 0;
    double high = 0;

    double pick(Random& random) const { return low + random.unit() * (high - low); }
    /// Returns `5` or `5:10`.
    std::string text() const;
    friend bool operator==(const NumberSpan&, const NumberSpan&) = default;
};
Result<NumberSpan> parse_number_span(std::string_view text);

/// One event of a timer script.
struct TimerEvent {
    std::string variable{};
    std::string text{};      ///< the value, with macros
    bool is_quoted = false;  ///< the value is a string, even if it looks like a number
    NumberSpan time{};       ///< seconds of script time
    int amount = 1;          ///< copies, each at a time of its own
    bool quits = false;      ///< ends the script's program

    friend bool operator==(const TimerEvent&, const TimerEvent&) = default;
};
/// Parses `var=V, val=TEXT, time=5:10, amt=2`, or `quit, time=60`. A comma inside of quotes, braces or
/// parentheses separates nothing.
Result<TimerEvent> parse_timer_event(std::string_view text);

/// A random variable of a timer script, whose value replaces `$[NAME]`.
struct TimerMacro {
    enum class Drawn { at_start, at_reset, at_post };

    std::string name{};
    NumberSpan range{};
    Drawn drawn = Drawn::at_start;
    double snap = 0;  ///< the value is a multiple; 0: any value
    bool is_gaussian = false;
    double mu = 0;
    double sigma = 1;

    double pick(Random& random) const;
    friend bool operator==(const TimerMacro&, const TimerMacro&) = default;
};
/// Parses `varname=N, min=1, max=5, key=at_reset, snap=0.5`, or with `type=gaussian, mu=3, sigma=1`, where
/// `min` and `max` limit the value if they are given.
Result<TimerMacro> parse_timer_macro(std::string_view text);

}  // namespace caribou::bus
