#include <charconv>
#include <cmath>

#include "base/number_text.hpp"
#include "wire/alog.hpp"
#include "wire/alog_format.hpp"

namespace caribou::wire {
namespace {

constexpr std::string_view blanks = " \t";

/// Removes the first word and the whitespace around it from the text, and returns the word.
std::string_view take_word(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    const std::string_view word = text.substr(0, text.find_first_of(blanks));
    text.remove_prefix(word.size());
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    return word;
}

std::optional<std::string_view> field(std::string_view text, std::string_view name) {
    const std::size_t at = text.find(name);
    if (at == std::string_view::npos) return std::nullopt;
    text.remove_prefix(at + name.size());
    return text.substr(0, text.find(','));
}

std::optional<std::uint64_t> count_in(std::optional<std::string_view> text) {
    std::uint64_t number = 0;
    if (!text || text->empty()) return std::nullopt;
    const auto [end, failed] = std::from_chars(text->data(), text->data() + text->size(), number);
    if (failed != std::errc{} || end != text->data() + text->size()) return std::nullopt;
    return number;
}

/// Parses `<MOOS_BINARY>File=x.blog,Offset=12,Bytes=34</MOOS_BINARY>`.
std::optional<AlogReference> read_reference(std::string_view value) {
    const std::size_t end = value.find(alog::reference_end);
    if (!value.starts_with(alog::reference_begin) || end == std::string_view::npos) return std::nullopt;
    value = value.substr(alog::reference_begin.size(), end - alog::reference_begin.size());
    const auto file = field(value, "File=");
    const auto offset = count_in(field(value, "Offset="));
    const auto bytes = count_in(field(value, "Bytes="));
    if (!file || file->empty() || !offset || !bytes) return std::nullopt;
    return AlogReference{.file = *file, .offset = *offset, .bytes = *bytes};
}

/// Converts a time to seconds since the start of the log. Some loggers write UNIX seconds in the lines; these
/// are recognized because no log lasts thirty years.
double since_start(double time, std::optional<double> log_start) {
    const bool is_absolute = log_start && *log_start > 1e9 && time >= *log_start;
    return is_absolute ? time - *log_start : time;
}

/// Parses a value declared as a number. Also accepts nan and inf, which are texts unless declared as numbers.
double declared_number(std::string_view value) {
    if (const auto number = number_in(value)) return *number;
    double number = NAN;
    std::from_chars(value.data(), value.data() + value.size(), number);
    return number;
}

}  // namespace

std::optional<AlogLine> AlogReader::next_line() {
    if (offset_ >= text_.size()) return std::nullopt;
    const std::string_view rest = text_.substr(offset_);
    std::string_view raw = rest.substr(0, rest.find('\n'));
    offset_ = std::min(text_.size(), offset_ + raw.size() + 1);
    if (raw.ends_with('\r')) raw.remove_suffix(1);
    const std::size_t first = raw.find_first_not_of(blanks);
    if (first == std::string_view::npos) return AlogLine{.raw = raw, .entry = {}, .is_comment = true};
    if (raw[first] == '%' || raw[first] == '#') {
        read_comment(raw.substr(first));
        return AlogLine{.raw = raw, .entry = {}, .is_comment = true};
    }
    AlogLine line{.raw = raw, .entry = read_entry(raw)};
    if (!line.entry) passed_over_ += 1;
    return line;
}

std::optional<AlogEntry> AlogReader::next() {
    while (const auto line = next_line())
        if (line->entry) return line->entry;
    return std::nullopt;
}

void AlogReader::read_comment(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of("%#"), line.size()));
    const std::string_view what = take_word(line);
    if (what == "LOGSTART") {
        if (const auto start = number_in(take_word(line))) log_start_ = start;
    } else if (what == "DATATYPE") {
        types_are_marked_ = line.starts_with("MARKING ON");
    } else if (what == "STRING") {
        declared_[take_word(line)] = DataType::string;
    } else if (what == "NUMBER") {
        declared_[take_word(line)] = DataType::number;
    } else if (what == "BINARY") {
        declared_[take_word(line)] = DataType::binary;
    }
}

std::optional<AlogEntry> AlogReader::read_entry(std::string_view line) const {
    const auto time = number_in(take_word(line));
    AlogEntry entry;
    entry.variable = take_word(line);
    entry.source = take_word(line);
    if (!time || entry.variable.empty() || entry.source.empty()) return std::nullopt;
    entry.time = since_start(*time, log_start_);
    if (const std::size_t colon = entry.source.find(':'); colon != std::string_view::npos) {
        entry.aux = entry.source.substr(colon + 1);
        entry.source = entry.source.substr(0, colon);
    }
    read_value(line, entry);
    return entry;
}

void AlogReader::read_value(std::string_view value, AlogEntry& entry) const {
    std::optional<DataType> stated;
    if (types_are_marked_ && value.size() >= 2 && value[1] == ':') {
        if (value[0] == 'D') stated = DataType::number;
        if (value[0] == 'S') stated = DataType::string;
        if (value[0] == 'B') stated = DataType::binary;
        if (stated) value.remove_prefix(2);
    }
    if (const auto found = declared_.find(entry.variable); !stated && found != declared_.end())
        stated = found->second;
    entry.text = value;
    entry.reference = read_reference(value);
    entry.type = stated.value_or(alog::looks_like(value));
    if (entry.type == DataType::binary && !entry.reference) entry.type = DataType::string;
    if (entry.reference && entry.type == DataType::number) entry.type = DataType::binary;
    if (entry.type == DataType::number) entry.number = declared_number(value);
}

std::optional<double> alog_end(std::string_view text) {
    // The header is needed to recognize absolute times.
    AlogReader from_the_start(text);
    if (!from_the_start.next()) return std::nullopt;
    const auto start = from_the_start.log_start();
    while (!text.empty()) {
        if (text.ends_with('\n')) text.remove_suffix(1);
        const std::size_t before = text.rfind('\n');
        std::string_view line = before == std::string_view::npos ? text : text.substr(before + 1);
        text.remove_suffix(line.size());
        if (const auto entry = AlogReader(line).next()) return since_start(entry->time, start);
    }
    return std::nullopt;
}

}  // namespace caribou::wire
