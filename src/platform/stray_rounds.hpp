#pragma once

#include <sys/types.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

// Private to platform.

namespace caribou {

/// Distinguishes processes that are started while others are killed from killed ones that have not ended yet,
/// as on a busy machine.
class StrayRounds {
public:
    /// Rounds that have to find new processes before they count as growing. The first round is not one of
    /// them.
    static constexpr std::size_t growing_rounds = 3;

    /// Processes that were found alive in one round.
    void add(const std::vector<pid_t>& found) {
        const bool is_new =
            std::ranges::any_of(found, [this](pid_t process) { return !seen_.contains(process); });
        if (is_new && !is_first_) ++rounds_with_new_;
        if (!found.empty()) is_first_ = false;
        seen_.insert(found.begin(), found.end());
    }
    bool grows() const { return rounds_with_new_ >= growing_rounds; }

private:
    std::set<pid_t> seen_;
    std::size_t rounds_with_new_ = 0;
    bool is_first_ = true;
};

}  // namespace caribou
