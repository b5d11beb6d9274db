#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "link/telemetry.hpp"
#include "loop/time.hpp"
#include "robot/body.hpp"
#include "robot/motion.hpp"

namespace caribou::robot {

/// The reading of one sensor in one round.
struct SensorSample {
    std::size_t sensor = 0;             ///< its place in BodyPlan::sensors
    SensorReading reading{};            ///< NoReading: it had nothing valid to say
    std::optional<Instant> heard_at{};  ///< when it last had
};

/// All that telemetry collected in one round of `sensor_array`.
struct TelemetryRound {
    std::uint64_t number = 0;
    Instant at{};
    std::vector<SensorSample> samples{};  ///< in the order of sensor_array
    MotionReport motion{};
    link::Telemetry summary{};  ///< the same, as small as it is sent

    /// Null: the sensor was not asked in this round, or had nothing valid to say.
    template <class Reading>
    const Reading* find(std::size_t sensor) const {
        for (const SensorSample& sample : samples)
            if (sample.sensor == sensor) return std::get_if<Reading>(&sample.reading);
        return nullptr;
    }
};

}  // namespace caribou::robot
