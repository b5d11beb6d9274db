#include "platform/timer_queue.hpp"

namespace caribou {

TimerQueue::Entry::~Entry() {
    if (destroyed_ != nullptr) *destroyed_ = true;
}

void TimerQueue::Entry::fire() {
    // The task is moved to the stack while it runs, so that it may destroy its own timer.
    bool destroyed = false;
    destroyed_ = &destroyed;
    Task task = std::move(on_due_);
    task();
    if (destroyed) return;
    on_due_ = std::move(task);
    destroyed_ = nullptr;
}

void TimerQueue::arm(Entry& entry, Instant due) {
    entry.wanted_ = {due, armed_++};
    if (entry.is_linked() && !entry.collected_ && entry.queued_ < entry.wanted_) return;
    cancel(entry);
    entry.queued_ = entry.wanted_;
    waiting_.insert(entry);
}

void TimerQueue::cancel(Entry& entry) {
    if (entry.is_linked()) entry.unlink();
    entry.collected_ = false;
}

std::optional<Instant> TimerQueue::next() const {
    if (!due_.empty()) return due_.begin()->queued_.due;
    if (!waiting_.empty()) return waiting_.begin()->queued_.due;
    return std::nullopt;
}

void TimerQueue::run_due(Instant now) {
    while (!waiting_.empty() && waiting_.begin()->queued_.due <= now) {
        Entry& entry = *waiting_.begin();
        entry.unlink();
        entry.queued_ = entry.wanted_;
        entry.collected_ = entry.wanted_.due <= now;
        (entry.collected_ ? due_ : waiting_).insert(entry);
    }
    while (!due_.empty()) {
        Entry& entry = *due_.begin();
        cancel(entry);
        entry.fire();
    }
}

}  // namespace caribou
