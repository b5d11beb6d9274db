#include "bus/paced_queue.hpp"

#include <algorithm>
#include <utility>

namespace caribou::bus {

bool PacedQueue::offer(std::string_view name, int priority, ByteView message) {
    const auto found = waiting_.find(name);
    if (found == waiting_.end()) {
        waiting_.emplace(name, Waiting{priority, order_++, Bytes(message.begin(), message.end())});
        return false;
    }
    found->second.priority = priority;
    found->second.message.assign(message.begin(), message.end());
    return true;
}

std::optional<Bytes> PacedQueue::take(Instant now) {
    if (waiting_.empty() || !budget_.allows(now)) return std::nullopt;
    const auto next = std::ranges::min_element(
        waiting_, {}, [](const auto& one) { return std::pair(-one.second.priority, one.second.order); });
    Bytes message = std::move(next->second.message);
    waiting_.erase(next);
    budget_.spend(message.size() + overhead_);
    return message;
}

}  // namespace caribou::bus
