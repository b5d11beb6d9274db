#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "loop/time.hpp"

namespace caribou::bus {

/// Whether the whole text matches a pattern of `*` (anything) and `?` (any one byte). Letters
/// match in their own case only. Takes time linear in pattern times text, whatever they are.
bool glob_matches(std::string_view pattern, std::string_view text);
/// Whether a text could match anything but itself.
inline bool is_pattern(std::string_view text) { return text.find_first_of("*?") != std::string_view::npos; }

/// A registration by pattern: every variable whose name matches, written by a client whose name
/// matches.
struct Wildcard {
    std::string app_pattern;
    std::string var_pattern;
    Duration interval{0};

    /// Reads `AppPattern=<glob>,VarPattern=<glob>,Interval=<seconds>`, in any order; the interval
    /// may be missing.
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
