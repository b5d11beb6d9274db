#include "behavior/sequential_action.hpp"

namespace caribou::behavior {

void SequentialAction::start(Instant now) {
    current_ = 0;
    if (!parts_.empty()) parts_.front()->start(now);
}

std::optional<Outcome> SequentialAction::poll(Instant now) {
    if (current_ == parts_.size()) return Outcome::succeeded();
    std::optional<Outcome> ended = parts_[current_]->poll(now);
    if (!ended || !ended->has_succeeded()) return ended;
    if (++current_ == parts_.size()) return ended;
    parts_[current_]->start(now);
    return std::nullopt;
}

void SequentialAction::cancel() {
    if (current_ < parts_.size()) parts_[current_]->cancel();
}

}  // namespace caribou::behavior
