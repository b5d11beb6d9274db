#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "behavior/difference.hpp"

namespace caribou::behavior {

/// What is the case after some changes: the sum of differences.
struct ReplayState {
    std::vector<Who> stack{};  ///< base first
    std::set<Who> in_scope{};
    std::map<Who, Refused> refused{};  ///< who said no when asked last, and why
    /// Which conditions hold, by behavior and number; absent: not live, or not evaluated.
    std::map<std::pair<Who, std::uint32_t>, bool> conditions{};

    /// False: it cannot follow from this state, which stays as it is.
    bool apply(const Change& change);

    bool is_active(Who who) const { return std::ranges::find(stack, who) != stack.end(); }

    friend bool operator==(const ReplayState&, const ReplayState&) = default;

private:
    void forget(Who who);
};

}  // namespace caribou::behavior
