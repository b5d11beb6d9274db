#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "link/telemetry.hpp"
#include "loop/time.hpp"
#include "motion/body.hpp"
#include "motion/motion.hpp"

namespace caribou::robot {

/// The reading of one sensor in one round.
struct SensorSample {
    std::size_t sensor = 0;             ///< its place in motion::BodyPlan::sensors
    motion::SensorReading reading{};    ///< motion::NoReading: it has none
    std::optional<Instant> heard_at{};  ///< when the reading, or the last valid one, was taken
    Pose from{};                        ///< the odometry at `heard_at`
};

/// When and where the latest reading of one sensor was taken. A scan or a list of sights that is read again
/// keeps its time.
class ReadingTime {
public:
    /// Updates the time if the reading is a new one.
    void add(const motion::SensorReading& reading, Instant now, const Pose& odometry) {
        auto content = content_of(reading);
        if (std::holds_alternative<motion::NoReading>(reading) || (content && content == content_)) return;
        at_ = now;
        from_ = odometry;
        content_ = std::move(content);
    }
    /// Returns nullopt if there was no reading yet.
    const std::optional<Instant>& at() const { return at_; }
    const Pose& from() const { return from_; }

private:
    static std::shared_ptr<const void> content_of(const motion::SensorReading& reading) {
        if (const auto* const scan = std::get_if<std::shared_ptr<const motion::LidarScan>>(&reading))
            return *scan;
        if (const auto* const sights = std::get_if<std::shared_ptr<const motion::Sights>>(&reading))
            return *sights;
        return nullptr;
    }

    std::optional<Instant> at_;
    Pose from_{};
    std::shared_ptr<const void> content_;
};

/// The data that telemetry collected in one round of `sensor_array`.
struct TelemetryRound {
    std::uint64_t number = 0;
    Instant at{};
    std::vector<SensorSample> samples{};  ///< in the order of sensor_array
    motion::MotionReport motion{};
    Pose odometry{};            ///< at `at`; that of `motion` is from its last step
    link::Telemetry summary{};  ///< the compact form that is sent

    /// Returns the sample of a sensor, or null if it was not read in this round.
    const SensorSample* sample_of(std::size_t sensor) const {
        const auto found = std::ranges::find(samples, sensor, &SensorSample::sensor);
        return found == samples.end() ? nullptr : &*found;
    }
    /// Returns the reading of a sensor, or null if it was not read in this round or has none.
    template <class Reading>
    const Reading* find(std::size_t sensor) const {
        const SensorSample* const sample = sample_of(sensor);
        return sample ? std::get_if<Reading>(&sample->reading) : nullptr;
    }
};

}  // namespace caribou::robot
