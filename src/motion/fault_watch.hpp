#pragma once

#include "motion/motion.hpp"
#include "motion/motion_senses.hpp"
#include "motion/persisting.hpp"

namespace caribou::motion {

/// Detects faults that make the motors unsafe. Faults are permanent.
class FaultWatch {
public:
    FaultWatch(const BodyPlan& plan, const MotionSettings& settings) : plan_(plan), settings_(settings) {}

    /// The state of the motors and of time that is not part of the senses.
    struct Evidence {
        Instant now{};
        bool motors_on = false;
        bool motors_were_cut = false;  ///< by the watchdog
        bool driver_complains = false;
        WheelSpeeds driven{};
        std::optional<WheelSpeeds> measured{};
        BatteryState battery = BatteryState::unknown;
    };
    /// Must be called once per step of propulsion.
    void step(const Senses& senses, const Evidence& evidence);
    void raise(MotionFault fault) { faults_.insert(fault); }

    const MotionFaults& faults() const { return faults_; }
    /// Returns whether the robot was driven without moving for too long.
    bool stuck() const { return stuck_; }
    /// Returns the number of steps that were more than a period late.
    std::uint64_t late_steps() const { return late_steps_; }

private:
    /// Number of consecutive late steps that is a fault.
    static constexpr int late_limit = 10;
    static constexpr double yaw_tolerance = 0.5;   ///< rad/s
    static constexpr double turning_speed = 0.05;  ///< m/s; a wheel that is faster was not just touched
    /// How long a wheel that is not driven may turn more slowly than that.
    static constexpr Duration creep_limit = std::chrono::seconds(2);

    void watch_deadlines(const Evidence& evidence);
    /// Returns the speed of the faster wheel that turns although none is driven: it has not come to rest
    /// since it was, or the motors are on.
    double speed_without_order(const Evidence& evidence);
    bool encoders_contradict(const Senses& senses, const Evidence& evidence) const;
    bool does_not_move(const Senses& senses, const Evidence& evidence) const;
    double yaw_rate(const WheelSpeeds& speeds) const {
        return (speeds.right - speeds.left) / plan_.wheel_base;
    }

    BodyPlan plan_;
    MotionSettings settings_;
    MotionFaults faults_;
    std::optional<Instant> last_step_;
    int late_in_a_row_ = 0;
    std::uint64_t late_steps_ = 0;
    Persisting sensor_missing_;
    Persisting contradiction_;
    bool rested_ = true;  ///< since the wheels were last driven
    Persisting turning_;
    Persisting creeping_;
    Persisting no_motion_;
    bool stuck_ = false;
};

}  // namespace caribou::motion
