#include "link/failed_attempts.hpp"

#include <algorithm>

namespace caribou::link {

bool FailedAttempts::failed(const std::string& who, Instant now) {
    if (!last_.contains(who) && last_.size() >= limits_.remembered) make_room();
    const auto [found, added] = last_.try_emplace(who, now);
    const bool is_first = added || now - found->second >= limits_.rest;
    found->second = now;
    return is_first;
}

void FailedAttempts::make_room() {
    last_.erase(std::ranges::min_element(last_, {}, [](const auto& entry) { return entry.second; }));
}

}  // namespace caribou::link
