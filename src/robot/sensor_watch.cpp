#include "robot/sensor_watch.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace caribou::robot {

std::vector<SensorWatch::State> SensorWatch::states(const TelemetryRound& round) {
    const Duration gap = last_round_ ? round.at - *last_round_ : Duration::zero();
    const bool was_paused = gap > std::max(limit, 3 * std::exchange(gap_, gap));
    last_round_ = round.at;
    // While a driver is absent, which is a fault of its own, all sensors are.
    if (was_paused || round.motion.reasons.contains(motion::MotionReason::body_absent))
        std::ranges::fill(since_, std::nullopt);
    std::vector<State> states(since_.size());
    for (std::size_t i = 0; i < states.size(); ++i)
        if (!plan_.sensors[i].required) states[i] = state_of(i, round);
    return states;
}

SensorWatch::State SensorWatch::state_of(std::size_t sensor, const TelemetryRound& round) {
    std::optional<Instant>& since = since_[sensor];
    const SensorSample* const sample = round.sample_of(sensor);
    if (sample == nullptr) {
        since.reset();
        return State::live;
    }
    if (!since) since = round.at;
    const Duration longest = std::max(limit, 3 * gap_);
    const bool may_be_old = plan_.sensors[sensor].kind == motion::SensorKind::eyes &&
                            !std::holds_alternative<motion::NoReading>(sample->reading);
    if (may_be_old || (sample->heard_at && round.at - *sample->heard_at <= longest)) return State::live;
    return round.at - *since > longest ? State::silent : State::unknown;
}

}  // namespace caribou::robot
