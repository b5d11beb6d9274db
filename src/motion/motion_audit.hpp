#pragma once

#include <optional>
#include <string>
#include <vector>

#include "motion/motion.hpp"
#include "motion/motion_settings.hpp"

namespace caribou::motion {

/// Checks that the driven motion is permitted, independent of how propulsion works. For tests and
/// simulations.
///
/// 1. On the way to a movement every class is a legal successor of the previous one. 2. No wheel is faster
/// than level 3, and none exceeds its acceleration, also where it passes zero. 3. Speed only increases for a
/// permitted source, without a stop, a fault or motors off. 4. Without such a source everything is at rest
/// after the stopping time. 5. During a full stop everything is at rest at once, or after the time of its
/// configured deceleration. 6. No wheel brakes harder than in a stop, except in a full stop, after a fault,
/// while the body is absent and between two programs. 7. By odometry, the hull stays the stop zone away from
/// every keep-out zone, or does not get nearer if it was nearer when the zone was placed; in a speed zone no
/// wheel is faster than its limit.
class MotionAudit {
public:
    explicit MotionAudit(const MotionSettings& settings) : settings_(settings) {}

    /// Must be called after every step, in order.
    void observe(const MotionReport& report);
    /// Must be called whenever the zones are placed, with the radius of the hull. The time of a stop from
    /// then on, no zone counts.
    void set_zones(const PlacedZones& zones, double radius);

    /// Returns the violations, at most `limit`.
    const std::vector<std::string>& findings() const { return findings_; }
    static constexpr std::size_t limit = 20;

private:
    bool may_move(const MotionReport& report) const;
    void check_edge(const MotionReport& report);
    void check_speed(const MotionReport& report);
    void check_authority(const MotionReport& report);
    void check_full_stop(const MotionReport& report);
    void check_braking(const MotionReport& report);
    void check_zones(const MotionReport& report);
    void find(const MotionReport& report, std::string what);

    MotionSettings settings_;
    std::optional<MotionReport> last_;
    std::optional<Instant> unauthorised_since_;
    std::optional<Instant> full_stop_since_;
    PlacedZones zones_{};
    double radius_ = 0;
    std::optional<Instant> zones_from_;  ///< from when on they count; nullopt: not known yet
    std::vector<double> least_gaps_;     ///< m; by zone, what it must keep
    std::vector<std::string> findings_;
};

}  // namespace caribou::motion
