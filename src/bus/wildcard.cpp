#include "bus/wildcard.hpp"

#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "base/trimmed.hpp"

namespace caribou::bus {

bool glob_matches(std::string_view pattern, std::string_view text) {
    std::size_t p = 0;
    std::size_t t = 0;
    // Where to resume after the last star if the text after it does not match.
    std::size_t after_star = std::string_view::npos;
    std::size_t retry_at = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            after_star = ++p;
            retry_at = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p;
            ++t;
        } else if (after_star != std::string_view::npos) {
            p = after_star;
            t = ++retry_at;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

Result<Wildcard> Wildcard::parse(std::string_view payload) {
    std::optional<std::string> app;
    std::optional<std::string> var;
    Wildcard result;
    for (std::size_t from = 0; from <= payload.size();) {
        const auto end = std::min(payload.find(',', from), payload.size());
        const auto item = payload.substr(from, end - from);
        from = end + 1;
        const auto equals = item.find('=');
        if (equals == std::string_view::npos) continue;
        const auto token = trimmed(item.substr(0, equals));
        const auto value = trimmed(item.substr(equals + 1));
        if (token == "AppPattern") app = value;
        if (token == "VarPattern") var = value;
        if (token == "Interval") {
            double seconds = 0;
            const auto [stop, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
            if (error != std::errc{} || stop != value.data() + value.size())
                return fail(Code::malformed,
                            fmt::format("wildcard: Interval is `{}`, not a number of seconds", value));
            result.interval = from_seconds(seconds);
        }
    }
    if (!app || !var)
        return fail(Code::malformed, fmt::format("wildcard `{}` lacks {}: write "
                                                 "AppPattern=<glob>,VarPattern=<glob>,Interval=<seconds>",
                                                 payload, app ? "VarPattern" : "AppPattern"));
    result.app_pattern = std::move(*app);
    result.var_pattern = std::move(*var);
    return result;
}

std::string Wildcard::to_payload() const {
    return fmt::format("AppPattern={},VarPattern={},Interval={}", app_pattern, var_pattern,
                       to_seconds(interval));
}

}  // namespace caribou::bus
