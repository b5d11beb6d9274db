// The part of ThreadAi that replaces the tree while it runs.

#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "behavior/tree_loader.hpp"
#include "robot/thread_ai.hpp"

namespace caribou::robot {

namespace {

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    for (const auto part : std::views::split(text, ' '))
        if (!part.empty()) words.emplace_back(part.begin(), part.end());
    return words;
}

}  // namespace

Result<std::string> ThreadAi::reload(std::string_view names) {
    const auto files = parts_.read_tree ? parts_.read_tree(words_of(names))
                                        : fail(Code::unavailable, "this robot has no files of trees");
    if (!files) return fail(files.error());
    auto loaded = behavior::load_tree(*files, classes_);
    if (!loaded)
        return fail(Code::malformed, fmt::format("the tree is refused, and the one before goes on\n{}",
                                                 to_string(loaded.error())));
    const Instant now = strand_.loop().clock().now();
    end_by_hand(fail(Code::wrong_state, "a new tree was loaded"));
    // Two ticks without a base: one ends the old behaviors, the other replaces them.
    runner_->request_end("a new tree");
    runner_->tick(now);
    std::ignore = runner_->request_tree(std::move(loaded->tree), loaded->base);
    runner_->request_end("a new tree");
    runner_->tick(now);
    fact_changes_.apply_to(facts_, plan_.facts);
    adopt(std::move(*loaded));
    base_end_.clear();
    if (runs_) std::ignore = runner_->set_base(base_);
    buffers_.note(TreeReplaced{});
    log_.info(fmt::format("ai: a new tree with {} behaviors, from {}", plan_.entries.size(), base_));
    return fmt::format("the new tree has {} behaviors; {} is the base{}\n{}", plan_.entries.size(), base_,
                       options_.has_programs ? "; the programs of `ai.programs` go on with the code with "
                                               "which they started: restart the robot to load new code"
                                             : "",
                       to_string(warnings_));
}

void ThreadAi::adopt(behavior::LoadedTree loaded) {
    warnings_ = std::move(loaded.warnings);
    for (const behavior::TreeFault& warning : warnings_) log_.warning("ai: " + to_string(warning));
    fact_keeper_.save(facts_);
    for (const auto& [name, fact] : plan_.facts) {
        const auto now = loaded.plan.facts.find(name);
        const behavior::Value* value = facts_.find(name);
        if (now == loaded.plan.facts.end() || (value && !fits(now->second, *value))) facts_.clear(name);
    }
    base_ = std::move(loaded.base);
    plan_ = std::move(loaded.plan);
    ignores_dock_ = !behavior::refers_to(plan_, "dock", "dock_wanted");
    ignores_go_ = !behavior::refers_to(plan_, "go", "go_wanted");
    fact_keeper_.set_tree(plan_.facts, facts_);
    behavior::set_fallbacks(plan_.facts, facts_);
    sensors_.set_tree(runner_->tree());
    sensors_.settle();
}

}  // namespace caribou::robot
