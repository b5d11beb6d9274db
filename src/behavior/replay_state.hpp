#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "behavior/difference.hpp"

namespace caribou::behavior {

/// The state that results from a series of changes.
struct ReplayState {
    std::vector<Who> stack{};  ///< base first
    std::set<Who> in_scope{};
    std::map<Who, Refused> refused{};  ///< behaviors that refused when last asked
    /// Which conditions hold, by behavior and number; no entry if not live or not evaluated.
    std::map<std::pair<Who, std::uint32_t>, bool> conditions{};

    /// Applies a change. Returns false, with the state unchanged, if the change cannot follow from this
    /// state.
    bool apply(const Change& change);

    bool is_active(Who who) const { return std::ranges::find(stack, who) != stack.end(); }

    friend bool operator==(const ReplayState&, const ReplayState&) = default;

private:
    void forget(Who who);
};

}  // namespace caribou::behavior
