#include "robot_jitter.hpp"

#include <condition_variable>
#include <utility>

#include "give_up.hpp"

namespace caribou::bench {

TimerJitter::TimerJitter() : due_(thread_.loop().clock().now()) {
    timer_->arm(due_);
    if (!thread_.start()) give_up("no thread for a timer");
}

void TimerJitter::tick() {
    const Instant now = thread_.loop().clock().now();
    {
        const std::lock_guard lock(mutex_);
        late_.push_back(to_seconds(now - due_) * 1e6);
    }
    due_ = now + std::chrono::milliseconds(1);
    timer_->arm(due_);
}

std::vector<double> TimerJitter::take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(late_, {});
}

void pause(Duration time) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable().wait_for(lock, time, [] { return false; });
}

double percentile(std::vector<double> samples, double share) {
    if (samples.empty()) give_up("nothing was measured");
    const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(samples.size() - 1));
    std::ranges::nth_element(samples, samples.begin() + place);
    return samples[static_cast<std::size_t>(place)];
}

}  // namespace caribou::bench
