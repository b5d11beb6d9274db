#include "wire/alog_summary.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace caribou::wire {
namespace {

std::string csv_field(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

}  // namespace

AlogSummary summarize_alog(std::string_view text) {
    AlogSummary summary;
    AlogReader reader(text);
    while (const auto entry = reader.next()) {
        if (summary.values++ == 0) summary.first = summary.last = entry->time;
        summary.first = std::min(summary.first, entry->time);
        summary.last = std::max(summary.last, entry->time);
        auto found = summary.variables.find(entry->variable);
        if (found == summary.variables.end())
            found = summary.variables.try_emplace(std::string(entry->variable)).first;
        AlogSummary::Variable& variable = found->second;
        if (variable.count++ == 0) variable.first = entry->time;
        variable.last = entry->time;
        variable.type = entry->type;
        if (!variable.sources.contains(entry->source)) variable.sources.emplace(entry->source);
    }
    summary.log_start = reader.log_start();
    summary.passed_over = reader.passed_over();
    return summary;
}

std::string alog_csv_row(const AlogEntry& entry) {
    return fmt::format("{:.5f},{},{},{}\n", entry.time, csv_field(entry.variable), csv_field(entry.source),
                       csv_field(entry.text));
}

}  // namespace caribou::wire
