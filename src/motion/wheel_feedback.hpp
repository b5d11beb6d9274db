#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "motion/motion.hpp"
#include "motion/movement.hpp"

namespace caribou::motion {

/// Speeds, wheel states and odometry from the encoders.
class WheelFeedback {
public:
    /// A slower wheel counts as not moving.
    static constexpr double still_speed = 0.01;  // m/s

    /// Standard deviation, in m, of the distance of a wheel after one meter, by slip and calibration. Grows
    /// with the square root of the distance.
    static constexpr double stray = 0.01;

    explicit WheelFeedback(const BodyPlan& plan) : plan_(plan) {}

    /// nullopt: no valid encoder reading. Odometry continues when both are back.
    void update(std::optional<std::int64_t> right, std::optional<std::int64_t> left, Instant now);

    /// For which speeds are measured at least.
    static constexpr Duration window = std::chrono::milliseconds(100);
    /// Returns the speeds over the last 100 to 120 ms, or nullopt without valid feedback for two samples.
    std::optional<WheelSpeeds> measured() const { return measured_; }
    /// Returns the combined state of both wheels; unknown without valid feedback.
    MovementState state() const;
    const Odometry& odometry() const { return odometry_; }

private:
    struct Sample {
        Instant at;
        std::int64_t right;
        std::int64_t left;
    };
    void integrate(const Sample& from, const Sample& to);
    void spread(double right, double left, double middle);
    void measure(const Sample& latest);

    BodyPlan plan_;
    std::optional<Sample> last_;
    /// Oldest first, at least 20 ms apart, however often there are updates.
    std::array<Sample, 6> samples_{};
    std::size_t count_ = 0;
    std::optional<WheelSpeeds> measured_;
    Odometry odometry_;
};

}  // namespace caribou::motion
