#include "link/failed_attempts.hpp"

#include <algorithm>

namespace caribou::link {

bool FailedAttempts::may_try(const std::string& who, Instant now) const {
    const auto found = rows_.find(who);
    return found == rows_.end() || found->second.failures < limits_.failures || is_over(found->second, now);
}

bool FailedAttempts::failed(const std::string& who, Instant now) {
    if (!rows_.contains(who) && rows_.size() >= limits_.remembered) make_room();
    Row& row = rows_[who];
    if (row.failures > 0 && is_over(row, now)) row = {};
    // Who is not listened to does not fail: the rest ends however often it knocks.
    if (row.failures < limits_.failures) row = {row.failures + 1, now};
    return row.failures == 1;
}

void FailedAttempts::make_room() {
    rows_.erase(std::ranges::min_element(rows_, {}, [](const auto& entry) { return entry.second.last; }));
}

}  // namespace caribou::link
