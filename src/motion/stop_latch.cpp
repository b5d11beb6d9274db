#include "motion/stop_latch.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace caribou::motion {

StopLatch::StopLatch(Strand& strand, LatchStore& store,
                     std::function<void(const std::string& not_stored)> on_outcome)
    : strand_(strand),
      store_(store),
      on_outcome_(std::move(on_outcome)),
      wanted_(store.stop_at_start()),
      not_stored_(store.not_stored_at_start()),
      timer_(strand.loop().make_timer([this] { settle(); })),
      slow_(strand.loop().make_timer([this] {
          if (finished_ != requested_) on_outcome_(std::string(too_slow));
      })),
      retry_(strand.loop().make_timer([this] {
          if (finished_ == requested_ && !not_stored_.empty()) this->store();
      })),
      self_(std::make_shared<StopLatch*>(this)) {
    if (!not_stored_.empty()) retry_->arm(strand.loop().clock().now() + retry_after);
}

StopLatch::~StopLatch() = default;

void StopLatch::stop(StopCause cause, Told told) {
    released_last_ = false;
    keep(cause);
    wait(true, std::move(told));
}

void StopLatch::release(Told told) {
    released_last_ = true;
    if (!in_motion_) keep(std::nullopt);
    wait(false, std::move(told));
}

void StopLatch::on_motion(std::optional<StopCause> stop) {
    in_motion_ = stop.has_value();
    if (stop && *stop != StopCause::shutdown) keep(stop);
    if (!stop && released_last_) keep(std::nullopt);
    settle();
}

void StopLatch::keep(std::optional<StopCause> stop) {
    const bool is_stored = finished_ == requested_ && not_stored_.empty();
    const bool is_under_way = finished_ != requested_;
    if (stop.has_value() == wanted_.has_value() && (is_stored || is_under_way)) return;
    wanted_ = stop;
    store();
}

void StopLatch::store() {
    slow_->arm(strand_.loop().clock().now() + limit);
    store_.store({wanted_}, [number = ++requested_, &strand = strand_,
                             self = std::weak_ptr(self_)](const Result<void>& outcome) {
        strand.post_here([number, outcome, self] {
            if (const auto alive = self.lock()) (*alive)->on_stored(number, outcome);
        });
    });
}

void StopLatch::on_stored(std::uint64_t number, const Result<void>& outcome) {
    finished_ = std::max(finished_, number);
    not_stored_ = outcome ? "" : outcome.error().message;
    on_outcome_(not_stored_);
    if (!outcome) retry_->arm(strand_.loop().clock().now() + retry_after);
    settle();
}

void StopLatch::wait(bool stopped, Told told) {
    waiting_.push_back({stopped, strand_.loop().clock().now() + limit, std::move(told)});
    settle();
}

void StopLatch::finish() { settle(Instant::max()); }

void StopLatch::settle(Instant now) {
    const bool is_finished = finished_ == requested_;
    const std::string why = is_finished ? not_stored_ : std::string(too_slow);
    const auto is_open = [&](const Waiting& each) {
        return now < each.until && (!is_finished || in_motion_ != each.stopped);
    };
    const auto rest = std::ranges::stable_partition(waiting_, is_open);
    const std::vector<Waiting> due(std::make_move_iterator(rest.begin()),
                                   std::make_move_iterator(rest.end()));
    waiting_.erase(rest.begin(), rest.end());
    for (const Waiting& each : due) each.told({in_motion_ == each.stopped, why});
    if (!waiting_.empty()) timer_->arm(std::ranges::min_element(waiting_, {}, &Waiting::until)->until);
}

}  // namespace caribou::motion
