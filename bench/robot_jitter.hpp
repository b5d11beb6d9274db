#pragma once

#include <mutex>
#include <vector>

#include "platform/named_thread.hpp"
#include "rounds.hpp"

namespace caribou::bench {

/// The limit of the machine itself: a thread with a timer every millisecond and no other work, at the
/// priority of propulsion.
class TimerJitter {
public:
    TimerJitter();
    ~TimerJitter() { thread_.stop(); }
    TimerJitter(const TimerJitter&) = delete;
    TimerJitter& operator=(const TimerJitter&) = delete;

    /// Returns the lateness of each timer since the last call, in microseconds.
    std::vector<double> take();

private:
    void tick();

    NullLog log_;
    NamedThread thread_{{"timer", 50}, log_};
    Instant due_;
    std::mutex mutex_;
    std::vector<double> late_;  // guarded by mutex_
    std::unique_ptr<Timer> timer_ = thread_.loop().make_timer([this] { tick(); });
};

/// Lets some time pass.
void pause(Duration time);

/// Returns the sample below which this share of all samples lies.
double percentile(std::vector<double> samples, double share);

}  // namespace caribou::bench
