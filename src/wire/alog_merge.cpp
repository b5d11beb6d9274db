#include "wire/alog_merge.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace caribou::wire {

Result<AlogMerge> AlogMerge::open(const std::vector<std::string_view>& texts) {
    std::vector<Log> logs;
    double earliest = std::numeric_limits<double>::max();
    for (const std::string_view text : texts) {
        Log log{.reader = AlogReader(text), .late = late_values(text)};
        log.next = log.reader.next();
        const auto start = log.reader.log_start();
        if (!start && log.next)
            return fail(Code::malformed, fmt::format("log {} has no LOGSTART line: its times cannot be "
                                                     "compared with those of other logs",
                                                     logs.size() + 1));
        log.start = start.value_or(0);
        if (start) earliest = std::min(earliest, *start);
        logs.push_back(std::move(log));
    }
    if (earliest == std::numeric_limits<double>::max())
        return fail(Code::not_found, "the logs contain no value; are they .alog files?");
    return AlogMerge(std::move(logs), earliest);
}

std::vector<AlogEntry> AlogMerge::late_values(std::string_view text) {
    std::vector<AlogEntry> late;
    double latest = std::numeric_limits<double>::lowest();
    AlogReader reader(text);
    while (auto entry = reader.next()) {
        if (entry->time < latest) late.push_back(*entry);
        latest = std::max(latest, entry->time);
    }
    std::ranges::stable_sort(late, {}, &AlogEntry::time);
    return late;
}

bool AlogMerge::Log::is_late() const {
    return next_late < late.size() && (!next || late[next_late].time < next->time);
}

std::optional<double> AlogMerge::Log::time() const {
    if (is_late()) return start + late[next_late].time;
    return next ? std::optional(start + next->time) : std::nullopt;
}

AlogEntry AlogMerge::Log::take() {
    if (is_late()) return late[next_late++];
    const AlogEntry entry = *next;
    do next = reader.next();
    while (next && next->time < entry.time);
    return entry;
}

std::optional<AlogMerge::Value> AlogMerge::next() {
    Log* first = nullptr;
    for (Log& log : logs_)
        if (const auto time = log.time(); time && (!first || *time < *first->time())) first = &log;
    if (!first) return std::nullopt;
    const double time = *first->time();
    return Value{.log = static_cast<std::size_t>(first - logs_.data()), .entry = first->take(), .time = time};
}

}  // namespace caribou::wire
