#include "behavior/rolling_recorder.hpp"

#include <utility>

namespace caribou::behavior {

void RollingRecorder::start(const BehaviorRunner& runner) {
    older_.emplace(runner, RecorderOptions{options_.max_bytes});
    newer_.reset();
}

void RollingRecorder::on_tick(const Difference& difference) {
    if (older_) older_->on_tick(difference);
    if (newer_) newer_->on_tick(difference);
}

void RollingRecorder::settle(const BehaviorRunner& runner) {
    if (!older_) return;
    if (older_->full()) {
        if (!newer_ || newer_->full()) return start(runner);
        older_ = std::exchange(newer_, std::nullopt);
    }
    if (!newer_ && older_->bytes().size() >= options_.max_bytes / 2)
        newer_.emplace(runner, RecorderOptions{options_.max_bytes});
}

}  // namespace caribou::behavior
