#include "robot/life_signs.hpp"

namespace caribou::robot {

std::array<Alive, thread_count> LifeSigns::latest() const {
    auto all = buffers_.alive.copy();
    const motion::MotionReport motion = motion_.report();
    all.at(static_cast<std::size_t>(ThreadName::propulsion)) = {motion.at, motion.steps};
    all.at(static_cast<std::size_t>(ThreadName::watchdog)) = {motion.watchdog_at, motion.watchdog_looks};
    all.at(static_cast<std::size_t>(ThreadName::latch)) = {latch_.sign_of_life(), 0};
    return all;
}

bool LifeSigns::exists(ThreadName who, const Alive& seen) {
    const bool is_optional = who == ThreadName::signals || who == ThreadName::latch || who == ThreadName::bus;
    return !is_optional || seen.last != Instant{};
}

void LifeSigns::measure(Instant now) {
    const auto after = latest();
    const double seconds = to_seconds(now - measured_);
    if (seconds <= 0) return;
    for (std::size_t i = 0; i < thread_count; ++i)
        rates_.at(i) = static_cast<double>(after.at(i).rounds - before_.at(i).rounds) / seconds;
    before_ = after;
    measured_ = now;
}

}  // namespace caribou::robot
