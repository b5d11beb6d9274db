#include <algorithm>
#include <cmath>
#include <ctime>
#include <iterator>

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

AlogWriter::AlogWriter(std::string_view name, double log_start)
    : side_name_(std::string(name.substr(name.rfind('/') + 1)) + ".blog"), log_start_(log_start) {
    lines_ = fmt::format(
        "{0}\n%% LOG FILE:       {1}.alog\n%% FILE OPENED ON  {2}\n%% LOGSTART        {3:20.6f}\n{0}\n",
        ruler, name, date_text(log_start), log_start);
}

void AlogWriter::clear() {
    lines_.clear();
    side_.clear();
}

void AlogWriter::declare(std::string_view variable, DataType type, DataType looks_like) {
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
    const bool aside = !is_number && (message.is_binary() || alog::is_awkward(message.payload));
    const std::string number = is_number ? number_text(message.value) : std::string{};
    const std::string_view shown = is_number ? std::string_view(number) : message.payload;
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
    if (aside)
        add_reference(message.payload);
    else
        lines_ += shown;
    lines_ += '\n';
}

}  // namespace caribou::wire
