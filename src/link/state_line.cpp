#include "link/state_line.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace caribou::link {
namespace {

constexpr std::string_view stopped_word = "stopped";
constexpr std::string_view not_stopped_word = "not_stopped";

/// Removes the text up to the next space from `text`, and the space, and returns it.
std::string_view take_word(std::string_view& text) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    return word;
}

}  // namespace

std::string to_string(const StateLine& line) {
    const std::string reason = line.waits_for ? fmt::format("({})", to_string(*line.waits_for)) : "";
    return fmt::format("{}{} {} {}", to_string(line.run_mode), reason, to_string(line.com_mode),
                       line.stopped ? stopped_word : not_stopped_word);
}

std::optional<StateLine> state_line_from(std::string_view text) {
    const std::string_view modes = take_word(text);
    const std::string_view com = take_word(text);
    if (text != stopped_word && text != not_stopped_word) return std::nullopt;
    const std::size_t bracket = modes.find('(');
    const auto run_mode = run_mode_from(modes.substr(0, bracket));
    const auto com_mode = com_mode_from(com);
    if (!run_mode || !com_mode) return std::nullopt;
    StateLine line{.run_mode = *run_mode, .com_mode = *com_mode, .stopped = text == stopped_word};
    if (bracket == std::string_view::npos) return line;
    if (!modes.ends_with(')')) return std::nullopt;
    line.waits_for = wait_reason_from(modes.substr(bracket + 1, modes.size() - bracket - 2));
    return line.waits_for ? std::optional(line) : std::nullopt;
}

}  // namespace caribou::link
