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

/// Remembers what happened last, for people: pushes, pops, resets, and the actions that run.
class RecentChanges final : public Observer {
public:
    struct Line {
        std::uint64_t tick;
        Instant at;
        std::string text;
    };
    static constexpr std::size_t most = 50;

    void on_tick(const Difference& difference) override;

    const std::deque<Line>& lines() const { return lines_; }  ///< the newest last
    /// By the number of the behavior that owns it.
    const std::map<Who, std::string>& actions() const { return actions_; }

private:
    std::deque<Line> lines_;
    std::map<Who, std::string> actions_;
};

/// All there is to see of a runner at one moment.
struct RunnerPicture {
    struct Node {
        std::string id;
        std::optional<std::string> parent{};  ///< the first that lists it; none: the base
        std::string class_name{};
        std::string label{};  ///< what it is called where its place is seen
    };
    struct Sleeper {
        std::string id;
        std::size_t scope = 0;  ///< active behaviors that list it
        bool in_scope = false;
        bool active = false;
        Gate gate = Gate::none;
        std::string why{};  ///< why it sleeps; empty: it is active, or would like to be
    };
    struct Question {
        std::string behavior;
        std::uint32_t number = 0;
        std::string text{};
        std::optional<bool> holds{};  ///< none: nobody asks at present
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

/// `plan` is what the tree was built from.
RunnerPicture picture_of(const BehaviorRunner& runner, const TreePlan& plan, const RecentChanges& recent);

/// One JSON object, the section `behaviors` of docs/formats/station-api.md. Instants become UNIX seconds by
/// `zero`, the time at which they began.
std::string to_json(const RunnerPicture& picture, double zero);

/// Makes a condition, by its number among those of the behavior, answer so; none: as it likes again.
/// not_found: there is no such behavior or condition, with a suggestion.
Result<std::string> force_condition(const BehaviorRunner& runner, std::string_view id, std::size_t number,
                                    std::optional<bool> answer);

}  // namespace caribou::behavior
