#include "behavior/events.hpp"

#include <algorithm>
#include <utility>

namespace caribou::behavior {

std::uint32_t Events::topic(std::string_view name) {
    const auto found = topics_.find(name);
    if (found != topics_.end()) return found->second;
    const auto number = static_cast<std::uint32_t>(topics_.size());
    topics_.emplace(name, number);
    return number;
}

bool Events::post(std::string_view topic, Value value) {
    if (waiting_.size() >= limit_) return false;
    // No current behavior can subscribe later: subscriptions are made in init, and events last one tick. But
    // a new tree may be pending, so every name gets a number.
    const std::uint32_t number = this->topic(topic);
    waiting_.push_back({number, topics_.find(topic)->first, std::move(value)});
    return true;
}

void Events::begin() {
    current_.clear();
    std::swap(current_, waiting_);
}

std::span<const Event* const> Events::select(std::span<const std::uint32_t> topics) {
    selected_.clear();
    for (const Event& event : current_)
        if (std::ranges::find(topics, event.number) != topics.end()) selected_.push_back(&event);
    return selected_;
}

}  // namespace caribou::behavior
