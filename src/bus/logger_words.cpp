#include "bus/logger_words.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/number_text.hpp"
#include "base/trimmed.hpp"
#include "bus/mission.hpp"

namespace caribou::bus {
namespace {

constexpr double shortest_sync = 0.1;
constexpr double longest_interval = 86'400;

/// Removes and returns the first word.
std::string_view next_word(std::string_view& text) {
    text = trimmed(text);
    const std::size_t end = std::min(text.find_first_of(blanks), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
    return word;
}

std::unexpected<Error> wrong_line(std::string text) { return fail(Code::invalid_argument, std::move(text)); }

}  // namespace

Result<LoggedVariable> parse_logged_variable(std::string_view text) {
    const std::size_t at = text.find('@');
    const std::string_view name = trimmed(text.substr(0, at));
    if (name.empty() || name.find_first_of(blanks) != std::string_view::npos)
        return wrong_line(fmt::format("`{}` is not VARIABLE @ SECONDS [NOSYNC]", text));
    LoggedVariable variable{.name = std::string(name)};
    if (at == std::string_view::npos) return variable;
    std::string_view rest = text.substr(at + 1);
    const std::string_view seconds = next_word(rest);
    const auto interval = number_in(seconds);
    if (!interval || *interval < 0 || *interval > longest_interval)
        return wrong_line(fmt::format("`{}` is not a number of seconds", seconds));
    variable.interval = from_seconds(*interval);
    for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
        if (same_key(word, "NOSYNC"))
            variable.is_column = false;
        else if (!same_key(word, "MONITOR"))
            return wrong_line(fmt::format("there is no `{}` here; expected NOSYNC or MONITOR", word));
    }
    return variable;
}

Result<Duration> parse_sync_log(std::string_view text) {
    const std::size_t at = text.find('@');
    const std::string_view flag = trimmed(text.substr(0, at));
    if (same_key(flag, "false")) return Duration::zero();
    const auto seconds = at == std::string_view::npos ? std::nullopt : number_in(text.substr(at + 1));
    if (!same_key(flag, "true") || !seconds || *seconds > longest_interval)
        return wrong_line(fmt::format("`{}` is not `true @ SECONDS` or `false`", text));
    return from_seconds(std::max(*seconds, shortest_sync));
}

Result<LoggerRequest> parse_logger_request(std::string_view text) {
    const std::size_t equals = std::min(text.find('='), text.size());
    const std::string_view what = trimmed(text.substr(0, equals));
    const std::string_view value = trimmed(text.substr(std::min(equals + 1, text.size())));
    if (same_key(what, "COPY_FILE_REQUEST") && !value.empty())
        return LoggerRequest{.file = std::string(value)};
    if (same_key(what, "LOG_REQUEST")) {
        auto variable = parse_logged_variable(value);
        if (!variable) return fail(std::move(variable.error()));
        return LoggerRequest{.variable = std::move(*variable)};
    }
    return wrong_line(fmt::format(
        "`{}` is neither `COPY_FILE_REQUEST = FILE` nor `LOG_REQUEST = VARIABLE @ SECONDS`", text));
}

}  // namespace caribou::bus
