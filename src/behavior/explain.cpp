#include "behavior/explain.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/suggestion.hpp"

namespace caribou::behavior {
namespace {

std::string ending(Outcome::Kind kind, std::string_view reason) {
    return fmt::format("{}{}{}", to_string(kind), reason.empty() ? "" : ": ", reason);
}

std::string reason_text(const BehaviorRunner& runner, const Behavior& behavior) {
    const Wants why = runner.why_not(behavior);
    return why ? "it wants to run, and was not chosen"
               : sentence({behavior.number(), why.gate(), why.why_not()});
}

class Explainer {
public:
    Explainer(const Replay& replay, const TreeGraph* graph) : replay_(replay), graph_(graph) {}

    void explain(Who who, std::size_t depth) {
        const ReplayState& state = replay_.state();
        if (!seen_.insert(who).second) return say(depth, fmt::format("`{}`: see above", id(who)));
        if (state.is_active(who)) return explain_active(who, depth);
        if (const auto refused = state.refused.find(who); refused != state.refused.end()) {
            say(depth, fmt::format("`{}` was asked and declined: {}", id(who), sentence(refused->second)));
            list_conditions(who, depth + 1);
            if (refused->second.gate == Gate::delegates) explain_delegates(who, depth + 1);
        } else if (state.in_scope.contains(who)) {
            explain_unasked(who, depth);
        } else {
            explain_out_of_scope(who, depth);
        }
        explain_end(who, depth + 1);
    }

    std::vector<std::string> take() { return std::move(lines_); }

private:
    std::string id(Who who) const { return std::string(replay_.id(who)); }
    void say(std::size_t depth, const std::string& sentence) {
        lines_.push_back(std::string(2 * depth, ' ') + sentence);
    }
    std::string stack_text() const {
        std::string text;
        for (const Who who : replay_.state().stack) text += (text.empty() ? "" : " > ") + id(who);
        return text;
    }

    void explain_active(Who who, std::size_t depth) {
        const Who top = replay_.state().stack.back();
        say(depth, fmt::format("`{}` is active: {}", id(who), stack_text()));
        if (top != who) say(depth + 1, fmt::format("it has delegated; `{}` has control", id(top)));
    }

    void explain_end(Who who, std::size_t depth) {
        const auto end = replay_.last_end(who);
        if (!end) return;
        say(depth, fmt::format("`{}` ended in tick {}, {:.1f} s before, {}", id(who), end->tick,
                               to_seconds(end->ago), ending(end->how.outcome, end->how.reason)));
    }

    void explain_delegates(Who who, std::size_t depth) {
        const std::size_t node = graph_ ? node_of(who) : TreeGraph::none;
        if (node == TreeGraph::none) return;
        for (const std::size_t delegate : graph_->nodes[node].delegates)
            if (const Who it = replay_.find(graph_->nodes[delegate].id); it != nobody) explain(it, depth);
    }

    /// Returns whether behaviors list this one, and none of them is active.
    bool waits_for_parents(Who who) const {
        const std::size_t node = graph_ ? node_of(who) : TreeGraph::none;
        if (node == TreeGraph::none || node == graph_->base) return false;
        return std::ranges::none_of(graph_->parents_of(node), [&](std::size_t parent) {
            const Who it = replay_.find(graph_->nodes[parent].id);
            return it != nobody && replay_.state().is_active(it);
        });
    }

    void explain_unasked(Who who, std::size_t depth) {
        if (waits_for_parents(who)) {
            say(depth, fmt::format("`{}` was not asked: no behavior that lists it is active", id(who)));
            list_conditions(who, depth + 1);
            explain_parents(who, depth + 1);
            return;
        }
        const auto& stack = replay_.state().stack;
        if (replay_.last_end(who))
            say(depth, fmt::format("`{}` is in scope, and was not asked again", id(who)));
        else
            say(depth,
                fmt::format("`{}` is in scope and has not declined, but received no control", id(who)));
        if (!stack.empty()) say(depth + 1, fmt::format("control is elsewhere: {}", stack_text()));
        list_conditions(who, depth + 1);
    }

    void explain_out_of_scope(Who who, std::size_t depth) {
        say(depth, fmt::format("`{}` is out of scope: no active behavior lists it", id(who)));
        explain_parents(who, depth + 1);
    }

    void explain_parents(Who who, std::size_t depth) {
        const std::size_t node = graph_ ? node_of(who) : TreeGraph::none;
        if (node == TreeGraph::none) return;
        if (node == graph_->base) say(depth, "it is the base, and none is set");
        for (const std::size_t parent : graph_->parents_of(node))
            if (const Who it = replay_.find(graph_->nodes[parent].id); it != nobody) explain(it, depth);
    }

    std::size_t node_of(Who who) const {
        const auto found = std::ranges::find(graph_->nodes, replay_.id(who), &TreeGraph::Node::id);
        return found == graph_->nodes.end() ? TreeGraph::none
                                            : static_cast<std::size_t>(found - graph_->nodes.begin());
    }

    void list_conditions(Who who, std::size_t depth) {
        for (const auto& [key, holds] : replay_.state().conditions) {
            if (key.first != who) continue;
            say(depth, fmt::format("{}: {}", replay_.condition_text(who, key.second),
                                   holds ? "holds" : "does not hold"));
        }
    }

    const Replay& replay_;
    const TreeGraph* graph_;
    std::set<Who> seen_;
    std::vector<std::string> lines_;
};

}  // namespace

std::string sentence(const Refused& refused) {
    const std::string_view why = refused.why;
    switch (refused.gate) {
        case Gate::circumstances: return fmt::format("`{}` holds, and it is not allowed then", why);
        case Gate::ensured: return fmt::format("no active ancestor ensures `{}`", why);
        case Gate::requirement: return fmt::format("a requirement is not met: {}", why);
        case Gate::condition: return fmt::format("its condition `{}` does not hold", why);
        case Gate::behavior:
            return why.empty() ? "it does not want to" : fmt::format("it does not want to: {}", why);
        default: return why.empty() ? std::string(to_string(refused.gate)) : std::string(why);
    }
}

std::string why_inactive(const BehaviorRunner& runner, const Behavior& behavior) {
    const BehaviorEnd* end = runner.last_end(behavior);
    const std::string reason = reason_text(runner, behavior);
    return end ? fmt::format("{}; it has ended, {}", reason, to_string(end->outcome)) : reason;
}

std::string why_inactive_now(const BehaviorRunner& runner, const Behavior& behavior) {
    const BehaviorEnd* end = runner.last_end(behavior);
    const std::string reason = reason_text(runner, behavior);
    return end ? fmt::format("{}; it ended {:.1f} s ago, {}", reason, to_seconds(runner.now() - end->at),
                             to_string(end->outcome))
               : reason;
}

Result<std::vector<std::string>> explain(const Replay& replay, std::string_view id, const TreeGraph* graph) {
    const Who who = replay.find(id);
    if (who == nobody) {
        std::vector<std::string> known;
        for (Who other = 0; !replay.id(other).empty(); ++other) known.emplace_back(replay.id(other));
        return fail(Code::not_found, fmt::format("no behavior has the id `{}`{}", id, instead_of(id, known)));
    }
    Explainer explainer(replay, graph);
    explainer.explain(who, 0);
    return explainer.take();
}

}  // namespace caribou::behavior
