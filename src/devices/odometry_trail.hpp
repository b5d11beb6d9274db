#pragma once

#include <cstdint>
#include <deque>

#include "base/pose.hpp"
#include "loop/time.hpp"

namespace caribou::devices {

/// Where a robot has been lately, by its encoders.
class OdometryTrail {
public:
    static constexpr Duration memory = std::chrono::seconds(1);

    OdometryTrail(double wheel_base, double meters_per_tick)
        : wheel_base_(wheel_base), meters_per_tick_(meters_per_tick) {}

    void add(std::int64_t right_ticks, std::int64_t left_ticks, Instant now);
    /// Returns the pose at that time, between two known ones; beyond them, the nearest one.
    Pose pose_at(Instant at) const;

private:
    struct Stop {
        Instant at{};
        Pose pose{};
    };

    double wheel_base_;
    double meters_per_tick_;
    std::int64_t right_ = 0;
    std::int64_t left_ = 0;
    std::deque<Stop> stops_;
};

}  // namespace caribou::devices
