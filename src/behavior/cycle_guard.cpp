#include "behavior/cycle_guard.hpp"

#include <algorithm>

namespace caribou::behavior {

std::optional<CycleFound> CycleGuard::pushed(Who who, std::uint64_t tick) {
    if (!settled_ && count_ > 0) --count_;
    settled_ = false;
    if (count_ == tops_.size()) {
        std::ranges::rotate(tops_, tops_.begin() + 1);
        --count_;
    }
    tops_[count_++] = {who, tick};
    if (count_ < tops_.size()) return std::nullopt;
    for (std::size_t i = 1; i < tops_.size(); ++i) {
        if (tops_[i].tick - tops_[i - 1].tick > max_distance) return std::nullopt;
        if (i > 1 && tops_[i].who != tops_[i - 2].who) return std::nullopt;
    }
    return CycleFound{tops_[0].who, tops_[1].who};
}

void CycleGuard::reset() {
    count_ = 0;
    settled_ = false;
}

}  // namespace caribou::behavior
