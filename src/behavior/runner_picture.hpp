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

/// The complete visible state of a runner at one moment.
struct RunnerPicture {
    struct Node {
        std::string id;
        std::optional<std::string> parent{};  ///< the first behavior that lists it; nullopt for the base
        std::string class_name{};
        std::string label{};  ///< name for display in its position
    };
    struct Sleeper {
        std::string id;
        std::size_t scope = 0;  ///< number of active behaviors that list it
        bool in_scope = false;
        bool active = false;
        Gate gate = Gate::none;
        std::string why{};  ///< why it is inactive; empty if it is active or would agree
    };
    struct Question {
        std::string behavior;
        std::uint32_t number = 0;
        std::string text{};
        std::optional<bool> holds{};  ///< nullopt if it is not being evaluated
        std::optional<bool> forced{};
    };
    struct RunningAction {
        std::string behavior;
        std::string name;
    };

    std::uint64_t tick = 0;
    bool idle = true;
    std::vector<Node> tree{};
    std::vector<std::string> stack{};  ///< base first
    std::vector<Sleeper> states{};     ///< of all behaviors
    std::vector<Question> conditions{};
    std::vector<RunningAction> actions{};
    std::vector<RecentChanges::Line> recent{};
};

/// Returns the state of the runner. `plan` must be the one from which the tree was built.
RunnerPicture picture_of(const BehaviorRunner& runner, const TreePlan& plan, const RecentChanges& recent);

/// Returns one JSON object, the section `behaviors` of docs/formats/station-api.md. Instants are converted to
/// UNIX seconds by adding `zero`, the time of instant 0.
std::string to_json(const RunnerPicture& picture, double zero);

/// Overrides the answer of a condition, given by its number within the behavior; nullopt removes the
/// override. Fails with not_found, and a suggestion, if there is no such behavior or condition.
Result<std::string> force_condition(const BehaviorRunner& runner, std::string_view id, std::size_t number,
                                    std::optional<bool> answer);

}  // namespace caribou::behavior
