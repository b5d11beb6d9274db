#include "behavior/parallel_action.hpp"

#include <utility>

namespace caribou::behavior {

ParallelAction::ParallelAction(std::vector<std::unique_ptr<Action>> parts) {
    for (auto& action : parts) parts_.push_back({std::move(action)});
}

void ParallelAction::start(Instant now) {
    for (Part& part : parts_) part.runs = false;
    for (Part& part : parts_) {
        part.runs = true;
        part.action->start(now);
    }
}

std::optional<Outcome> ParallelAction::poll(Instant now) {
    std::optional<Outcome> failure;
    bool all_ended = true;
    for (Part& part : parts_) {
        if (!part.runs) continue;
        std::optional<Outcome> ended = part.action->poll(now);
        part.runs = !ended;
        all_ended &= ended.has_value();
        if (ended && !ended->has_succeeded() && !failure) failure = std::move(ended);
    }
    if (failure) {
        cancel();
        return failure;
    }
    return all_ended ? std::optional(Outcome::succeeded()) : std::nullopt;
}

void ParallelAction::cancel() {
    for (Part& part : parts_)
        if (std::exchange(part.runs, false)) part.action->cancel();
}

}  // namespace caribou::behavior
