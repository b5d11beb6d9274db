#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "loop/time.hpp"

namespace caribou::bus {

/// Returns whether the whole text matches a pattern of `*` (any text) and `?` (any byte), case-sensitively.
/// Takes at most time proportional to pattern size times text size.
bool glob_matches(std::string_view pattern, std::string_view text);
/// Returns whether `text` is a pattern, so that it can match other texts than itself.
inline bool is_pattern(std::string_view text) { return text.find_first_of("*?") != std::string_view::npos; }

/// A wildcard registration: every variable with a matching name, written by a client with a matching name.
struct Wildcard {
    std::string app_pattern;
    std::string var_pattern;
    Duration interval{0};

    /// Parses `AppPattern=<glob>,VarPattern=<glob>,Interval=<seconds>`, in any order; the interval is
    /// optional.
    static Result<Wildcard> parse(std::string_view payload);
    std::string to_payload() const;

    bool matches(std::string_view variable, std::string_view writer) const {
        return glob_matches(var_pattern, variable) && glob_matches(app_pattern, writer);
    }
    bool same_patterns(const Wildcard& other) const {
        return app_pattern == other.app_pattern && var_pattern == other.var_pattern;
    }
};

}  // namespace caribou::bus
