#pragma once

#include <mutex>
#include <vector>

#include "platform/named_thread.hpp"
#include "rounds.hpp"

namespace caribou::bench {

/// What the machine itself can do: a thread with a timer every millisecond, and nothing else to do,
/// at the priority of propulsion.
class TimerJitter {
public:
    TimerJitter();
    ~TimerJitter() { thread_.stop(); }
    TimerJitter(const TimerJitter&) = delete;
    TimerJitter& operator=(const TimerJitter&) = delete;

    /// How late it was since this was asked last, in microseconds, each time.
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

/// The sample below which this share of them is.
double percentile(std::vector<double> samples, double share);

}  // namespace caribou::bench
