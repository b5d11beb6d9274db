#include "behavior/parallel_action.hpp"

#include <utility>

#include <fmt/format.h>

namespace caribou::behavior {

ParallelAction::ParallelAction(std::vector<std::unique_ptr<Action>> parts, ParallelPolicy policy)
    : policy_(policy) {
    for (auto& action : parts) parts_.push_back({std::move(action)});
    if (policy_.success_count == 0) policy_.success_count = parts_.size();
    if (policy_.failure_count == 0) policy_.failure_count = parts_.size();
}

void ParallelAction::start(Instant now) {
    for (Part& part : parts_) part.runs = false;
    succeeded_ = not_succeeded_ = 0;
    for (Part& part : parts_) {
        part.runs = true;
        part.action->start(now);
    }
}

std::optional<Outcome> ParallelAction::poll(Instant now) {
    std::optional<Outcome> failure;
    for (Part& part : parts_) {
        if (!part.runs) continue;
        std::optional<Outcome> ended = part.action->poll(now);
        part.runs = !ended;
        if (!ended) continue;
        ++(ended->has_succeeded() ? succeeded_ : not_succeeded_);
        if (!ended->has_succeeded() && !failure) failure = std::move(ended);
    }
    if (failure && not_succeeded_ >= policy_.failure_count) {
        cancel();
        return failure;
    }
    if (succeeded_ >= policy_.success_count) {
        cancel();
        return Outcome::succeeded();
    }
    if (succeeded_ + not_succeeded_ < parts_.size()) return std::nullopt;
    return Outcome::failed(
        fmt::format("{} of {} succeeded, {} were needed", succeeded_, parts_.size(), policy_.success_count));
}

void ParallelAction::cancel() {
    for (Part& part : parts_)
        if (std::exchange(part.runs, false)) part.action->cancel();
}

}  // namespace caribou::behavior
