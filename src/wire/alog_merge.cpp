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
        Log log{AlogReader(text), std::nullopt, 0};
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

std::optional<AlogMerge::Value> AlogMerge::next() {
    Log* first = nullptr;
    for (Log& log : logs_)
        if (log.next && (!first || log.start + log.next->time < first->start + first->next->time))
            first = &log;
    if (!first) return std::nullopt;
    Value value{.log = static_cast<std::size_t>(first - logs_.data()),
                .entry = *first->next,
                .time = first->start + first->next->time};
    first->next = first->reader.next();
    return value;
}

}  // namespace caribou::wire
