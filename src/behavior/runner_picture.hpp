#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "behavior/difference.hpp"
#include "behavior/runner.hpp"
#include "behavior/tree_plan.hpp"
#include "data/behaviors.hpp"

namespace caribou::behavior {

/// Keeps the most recent events for display: pushes, pops, resets, and the running actions.
class RecentChanges final : public Observer {
public:
    struct Line {
        std::uint64_t tick;
        Instant at;
        std::string text;
    };
    static constexpr std::size_t most = 50;

    void on_tick(const Difference& difference) override;

    const std::deque<Line>& lines() const { return lines_; }  ///< newest last
    /// Returns the running actions by the number of the behavior that owns them.
    const std::map<Who, std::string>& actions() const { return actions_; }

private:
    std::deque<Line> lines_;
    std::map<Who, std::string> actions_;
};

/// Returns the complete visible state of a runner at one moment. `plan` must be the one from which the tree
/// was built. Instants are converted to UNIX seconds by adding `zero`, the time of instant 0.
data::Behaviors picture_of(const BehaviorRunner& runner, const TreePlan& plan, const RecentChanges& recent,
                           double zero);

/// Overrides the answer of a condition, given by its number within the behavior; nullopt removes the
/// override. Fails with not_found, and a suggestion, if there is no such behavior or condition.
Result<std::string> force_condition(const BehaviorRunner& runner, std::string_view id, std::size_t number,
                                    std::optional<bool> answer);

}  // namespace caribou::behavior
