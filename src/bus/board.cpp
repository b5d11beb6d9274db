#include "bus/board.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bus/server_requests.hpp"

namespace caribou::bus {

wire::MessageView Board::Row::value() const {
    return {.data_type = type, .source = source, .key = name, .value = number, .payload = text};
}

void Board::forget() {
    rows_.clear();
    uptime_ = 0;
}

std::string Board::request() const { return asks_for_all_ ? "ALL" : fmt::format("{}{}", all_since, uptime_); }

const Board::Row* Board::find(std::string_view name) const {
    const auto found = rows_.find(name);
    return found == rows_.end() ? nullptr : &found->second;
}

bool Board::take(const std::vector<wire::Message>& answer, Instant now) {
    double uptime = 0;
    for (const wire::Message& told : answer) uptime = std::max(uptime, told.time);
    if (uptime < uptime_) {
        forget();
        return false;
    }
    // ALL also lists unwritten variables, with a negative time; ALL_SINCE does not.
    const bool only_written = std::ranges::find(answer, all_since, &wire::Message::key) != answer.end();
    for (const wire::Message& told : answer)
        if (told.key != all_since) take(told, only_written || told.time >= 0);
    uptime_ = uptime;
    told_at_ = now;
    return true;
}

void Board::take(const wire::Message& told, bool is_written) {
    auto found = rows_.find(told.key);
    if (found == rows_.end()) found = rows_.try_emplace(told.key, Row{.name = told.key}).first;
    Row& row = found->second;
    row.type = told.data_type;
    row.number = told.value;
    row.text = told.payload;
    row.source = told.source;
    row.aux = told.aux;
    row.community = told.community;
    row.written = is_written ? std::optional(told.time) : std::nullopt;
    row.rate = told.value2;
}

double Board::age(const Row& row, Instant now) const {
    return std::max(0.0, uptime_ - row.written.value_or(0)) + to_seconds(now - told_at_);
}

double Board::rate(const Row& row, Instant now) const {
    const double silence = age(row, now);
    // The answer itself may be up to a second old.
    return silence * row.rate > 3 ? std::min(row.rate, 1 / silence) : row.rate;
}

}  // namespace caribou::bus
