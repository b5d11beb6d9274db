#pragma once

#include <optional>
#include <string>
#include <vector>

#include "motion/body.hpp"
#include "robot/telemetry_round.hpp"

namespace caribou::robot {

/// Finds the sensors that have stopped to give readings, and those that give readings again. Sensors that
/// propulsion requires are not watched: it stops without them (motion::MotionFault::sensor_dead).
///
/// | sensor                                               | state   |
/// |------------------------------------------------------|---------|
/// | not read in the round: switched off on purpose       | live    |
/// | its latest reading is younger than the limit         | live    |
/// | eyes with a reading, which may report changes only   | live    |
/// | is read for longer than the limit without a new one  | silent  |
/// | otherwise: switched on lately, or the body is absent | unknown |
class SensorWatch {
public:
    /// Silence that counts, unless three rounds of telemetry take longer.
    static constexpr Duration limit = std::chrono::seconds(2);

    enum class State : std::uint8_t { unknown, live, silent };

    /// `plan` outlives it.
    explicit SensorWatch(const motion::BodyPlan& plan) : plan_(plan), since_(plan.sensors.size()) {}

    /// Must be called once per round. Returns the states by sensor; unknown for those that are not watched.
    std::vector<State> states(const TelemetryRound& round);

private:
    State state_of(std::size_t sensor, const TelemetryRound& round);

    const motion::BodyPlan& plan_;
    std::vector<std::optional<Instant>> since_;  ///< since when each sensor is read without interruption
    std::optional<Instant> last_round_;
    Duration gap_{};  ///< between the last two rounds
};

}  // namespace caribou::robot
