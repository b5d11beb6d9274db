#include "station/replay_turns.hpp"

#include <algorithm>

namespace caribou::station {

ReplayTurns::ReplayTurns(Loop& loop) : loop_(loop), timer_(loop.make_timer([this] { run(); })) {}

void ReplayTurns::request(ReplayWork& work) {
    if (std::ranges::find(waiting_, &work) != waiting_.end()) return;
    waiting_.push_back(&work);
    if (waiting_.size() == 1) timer_->arm(std::max(rests_until_, loop_.clock().now()));
}

void ReplayTurns::cancel(const ReplayWork& work) { std::erase(waiting_, &work); }

void ReplayTurns::run() {
    if (waiting_.empty()) return;
    ReplayWork& work = *waiting_.front();
    waiting_.pop_front();
    const Instant begun = loop_.clock().now();
    work.do_piece();
    const Instant ended = loop_.clock().now();
    rests_until_ = ended + rest_factor * (ended - begun);
    if (!waiting_.empty()) timer_->arm(rests_until_);
}

}  // namespace caribou::station
