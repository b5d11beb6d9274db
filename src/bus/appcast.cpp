#include "bus/appcast.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "base/number_text.hpp"
#include "base/trimmed.hpp"

namespace caribou::bus {
namespace {

constexpr std::string_view outer = "!@#";
constexpr std::string_view inner = "!@";
constexpr double longest_request = 30;

/// Returns the text without line ends and separators. A `#` at the beginning would form a separator together
/// with the one before it.
std::string one_line(std::string_view text) {
    std::string safe(text.starts_with('#') ? " " : "");
    for (const char c : text) {
        if (c == '@' && safe.ends_with('!')) safe += ' ';
        safe += c == '\n' || c == '\r' ? ' ' : c;
    }
    return safe;
}

std::string joined(const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts) {
        if (text.empty()) continue;
        if (!all.empty()) all += inner;
        all += one_line(text);
    }
    return all;
}

/// Splits at each separator; the parts of an empty text are one empty part.
std::vector<std::string_view> split_text(std::string_view text, std::string_view separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t at = text.find(separator);
        parts.push_back(text.substr(0, at));
        if (at == std::string_view::npos) return parts;
        text.remove_prefix(at + separator.size());
    }
}

std::vector<std::string> lines_in(std::string_view value) {
    std::vector<std::string> lines;
    for (const std::string_view part : split_text(value, inner)) lines.emplace_back(part);
    if (!lines.empty() && lines.back().empty()) lines.pop_back();
    return lines;
}

std::vector<std::string> entries_in(std::string_view value) {
    auto entries = lines_in(value);
    std::erase(entries, "");
    return entries;
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failed != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
    return value;
}

void take_run_warnings(AppCast& cast, std::string_view value) {
    for (const std::string& entry : lines_in(value)) {
        const std::size_t colon = entry.find(':');
        const auto count = whole_number(std::string_view(entry).substr(0, colon));
        if (colon == std::string::npos || !count) continue;
        cast.run_warnings[entry.substr(colon + 1)] += *count;
    }
}

void take_field(AppCast& cast, std::string_view name, std::string_view value) {
    if (name == "proc") cast.proc = trimmed(one_line(value));
    if (name == "node") cast.node = trimmed(one_line(value));
    if (name == "iter") cast.iteration = whole_number(trimmed(value)).value_or(cast.iteration);
    if (name == "messages") cast.messages = lines_in(value);
    if (name == "config_warnings") cast.config_warnings = entries_in(value);
    if (name == "events") cast.events = entries_in(value);
    if (name == "run_warning_total")
        cast.run_warning_total = whole_number(trimmed(value)).value_or(cast.run_warning_total);
    if (name == "run_warnings") take_run_warnings(cast, value);
}

std::string lower_text(std::string_view text) {
    std::string all(text);
    for (char& c : all)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return all;
}

}  // namespace

std::string to_string(const AppCast& cast) {
    std::string text = fmt::format("proc={}{}iter={}", one_line(cast.proc), outer, cast.iteration);
    if (!cast.node.empty()) text += fmt::format("{}node={}", outer, one_line(cast.node));
    text += fmt::format("{}iter={}{}messages=", outer, cast.iteration, outer);
    for (const std::string& line : cast.messages) text.append(one_line(line)).append(inner);
    text += outer;
    if (!cast.config_warnings.empty()) text += "config_warnings=" + joined(cast.config_warnings);
    text += fmt::format("{}events_total={}{}", outer, cast.events.size(), outer);
    if (!cast.events.empty()) text += "events=" + joined(cast.events);
    text += fmt::format("{}run_warning_total={}{}", outer, cast.run_warning_total, outer);
    if (cast.run_warnings.empty()) return text;
    std::vector<std::string> warnings;
    for (const auto& [what, count] : cast.run_warnings) warnings.push_back(fmt::format("{}:{}", count, what));
    return text + "run_warnings=" + joined(warnings);
}

Result<AppCast> parse_appcast(std::string_view text) {
    AppCast cast;
    for (const std::string_view field : split_text(text, outer)) {
        const std::size_t equals = field.find('=');
        if (equals == std::string_view::npos) continue;
        take_field(cast, trimmed(field.substr(0, equals)), field.substr(equals + 1));
    }
    if (cast.proc.empty()) return fail(Code::malformed, "a report needs the name of its app: `proc=NAME`");
    return cast;
}

std::string to_string(const AppCastRequest& request) {
    return fmt::format("node={},app={},duration={:.1f},key={},thresh={}", request.node, request.app,
                       request.duration, request.key,
                       request.threshold == AppCastRequest::Threshold::any ? "any" : "run_warning");
}

Result<AppCastRequest> parse_appcast_request(std::string_view text) {
    AppCastRequest request;
    std::optional<double> duration;
    for (const std::string_view field : split_text(text, ",")) {
        const std::size_t equals = field.find('=');
        if (equals == std::string_view::npos) continue;
        const std::string name = lower_text(trimmed(field.substr(0, equals)));
        const std::string_view value = trimmed(field.substr(equals + 1));
        if (name == "node") request.node = value;
        if (name == "app") request.app = value;
        if (name == "key") request.key = value;
        if (name == "duration") duration = number_in(value);
        if (name == "thresh" && value == "run_warning")
            request.threshold = AppCastRequest::Threshold::run_warning;
    }
    if (request.key.empty()) return fail(Code::malformed, "a request needs a key: `key=NAME`");
    if (!duration) return fail(Code::malformed, "a request needs a duration in seconds: `duration=3`");
    request.duration = std::clamp(*duration, 0.0, longest_request);
    return request;
}

}  // namespace caribou::bus
