#include <algorithm>
#include <cmath>
#include <ctime>
#include <iterator>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/number_text.hpp"
#include "wire/alog.hpp"
#include "wire/alog_format.hpp"

namespace caribou::wire {
namespace {

constexpr std::string_view ruler = "%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%";

bool breaks_a_column(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0'; }

/// Appends a name as a single column: characters that would split it are replaced.
void append_word(std::string& out, std::string_view name) {
    if (name.empty()) out += '-';
    const std::size_t at = out.size();
    out += name;
    std::replace_if(out.begin() + static_cast<std::ptrdiff_t>(at), out.end(), breaks_a_column, '_');
}

void pad_to(std::string& out, std::size_t column_begin, std::size_t width) {
    const std::size_t size = out.size() - column_begin;
    out.append(size < width ? width - size + 1 : 1, ' ');
}

std::string_view declaration(DataType type) {
    switch (type) {
        case DataType::string: return "%% STRING ";
        case DataType::binary: return "%% BINARY ";
        default: return "%% NUMBER ";
    }
}

/// Returns a date such as `Sun Jan 31 13:59:59 2027`, in UTC.
std::string date_text(double unix_seconds) {
    const double whole = std::clamp(std::floor(unix_seconds), 0.0, 253402300799.0);
    return fmt::format("{:%a %b %e %H:%M:%S %Y}", fmt::gmtime(static_cast<std::time_t>(whole)));
}

}  // namespace

std::string alog_line_text(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    std::string out = text.starts_with(alog::reference_begin) ? "\\" : "";
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\n')
            out += "\\n";
        else if (c == '\0')
            out += "\\x00";
        else if (c != '\r')
            out += c;
    }
    return out;
}

AlogWriter::AlogWriter(std::string_view name, double log_start, Awkward awkward, Style style)
    : style_(std::move(style)),
      side_name_(std::string(name.substr(name.rfind('/') + 1)) + style_.side_ending),
      log_start_(log_start),
      awkward_(awkward) {
    lines_ = fmt::format(
        "{0}\n%% LOG FILE:       {1}{4}\n%% FILE OPENED ON  {2}\n%% LOGSTART        {3:20.6f}\n{5}{0}\n",
        ruler, name, date_text(style_.opened.value_or(log_start)), log_start, style_.ending,
        style_.marks_types ? "%% DATATYPE MARKING ON\n" : "");
}

void AlogWriter::clear() {
    lines_.clear();
    side_.clear();
}

std::string AlogWriter::number_text_of(double number) const {
    return style_.decimals ? fmt::format("{:.{}f}", number, *style_.decimals) : number_text(number);
}

void AlogWriter::declare(std::string_view variable, DataType type, DataType looks_like) {
    if (style_.marks_types) return;
    if (declared_.empty() && type == looks_like) return;
    const auto found = declared_.find(variable);
    if ((found == declared_.end() ? looks_like : found->second) == type) return;
    declared_.insert_or_assign(std::string(variable), type);
    lines_ += declaration(type);
    append_word(lines_, variable);
    lines_ += '\n';
}

void AlogWriter::add_reference(std::string_view bytes) {
    fmt::format_to(std::back_inserter(lines_), "{}File={},Offset={},Bytes={}{}", alog::reference_begin,
                   side_name_, side_offset_, bytes.size(), alog::reference_end);
    side_ += bytes;
    side_offset_ += bytes.size();
}

void AlogWriter::add(const MessageView& message) {
    const bool is_number = message.is_number();
    const bool is_awkward = !is_number && !message.is_binary() && alog::is_awkward(message.payload);
    const bool is_escaped = is_awkward && awkward_ == Awkward::escaped;
    const bool aside = message.is_binary() || (is_awkward && !is_escaped);
    const std::string changed = is_number    ? number_text_of(message.value)
                                : is_escaped ? alog_line_text(message.payload)
                                             : std::string();
    const std::string_view shown = is_number || is_escaped ? std::string_view(changed) : message.payload;
    declare(message.key, message.data_type, aside ? DataType::binary : alog::looks_like(shown));

    std::size_t column = lines_.size();
    // Values written before the start of the log are its initial state.
    const double time = std::isfinite(message.time) ? std::max(0.0, message.time - log_start_) : 0;
    fmt::format_to(std::back_inserter(lines_), "{:.5f}", time);
    pad_to(lines_, column, 15);
    column = lines_.size();
    append_word(lines_, message.key);
    pad_to(lines_, column, 20);
    column = lines_.size();
    append_word(lines_, message.source);
    if (!message.aux.empty()) append_word(lines_ += ':', message.aux);
    pad_to(lines_, column, 15);
    if (style_.marks_types) lines_ += is_number ? "D:" : message.is_binary() ? "B:" : "S:";
    if (aside)
        add_reference(message.payload);
    else
        lines_ += shown;
    lines_ += '\n';
}

}  // namespace caribou::wire
