#pragma once

#include <expected>
#include <optional>

#include "motion/battery_watch.hpp"
#include "motion/fault_watch.hpp"
#include "motion/motion.hpp"
#include "motion/motion_orders.hpp"
#include "motion/motion_senses.hpp"
#include "motion/motion_settings.hpp"
#include "motion/reflexes.hpp"
#include "motion/wheel_control.hpp"
#include "motion/wheel_feedback.hpp"
#include "motion/wheel_ramp.hpp"

namespace caribou::motion {

/// Decides, step by step, what the wheels do. Orders of all sources are limited by the gates
/// (docs/safety.md). ThreadPropulsion calls it periodically.
class Propulsion {
public:
    /// Silence of the supervisor that is a full stop while the motors are permitted. Only time during which
    /// steps were made counts: a pause of the whole process is not the supervisor's.
    static constexpr Duration supervisor_limit = std::chrono::seconds(1);

    /// Takes control of the body's motors.
    Propulsion(Body& body, const MotionSettings& settings);

    /// Sets an order, which takes effect in the next step.
    std::expected<void, MotionRefusal> set_target(const MotionOrder& order, Instant now);
    void full_stop(StopCause cause);
    void release_stop();
    void permit(const MotionPermit& permit);
    /// See MotionControl.
    void set_zones(const PlacedZones& zones) { zones_ = zones; }
    void link_lost();
    /// See MotionControl.
    void supervisor_alive() { supervisor_silence_ = Duration::zero(); }
    /// Adds a fault that was found elsewhere. Like every fault, it stays.
    void raise(MotionFault fault) { faults_.raise(fault); }
    /// While the guard has stopped the body, nothing is ordered but rest. A cut voids all orders.
    void set_guard_cut(bool is_cut);

    /// Reads sensors, decides and drives. Must be called at a fixed rate, and after every change.
    void step(Instant now);
    const MotionReport& report() const { return report_; }

private:
    /// The target speeds, and all their reasons.
    struct Decision {
        std::optional<MotionSource> winner{};
        MotionCommand command{};
        WheelSpeeds speeds{};
        Braking braking = Braking::ordered;
        MotionReasons reasons{};
    };
    /// Returns whether a full stop is in effect. The stop of a program that ends is not one.
    bool is_fully_stopped() const { return emergency_ || (stop_ && *stop_ != StopCause::shutdown); }
    void watch_supervisor(Instant now);
    std::optional<MotionRefusal> refusal_of_motion(const MotionCommand& command) const;
    const MotionOrder* live_order(Instant now);
    WheelSpeeds speeds_of(const MotionCommand& command) const {
        return command.speeds(settings_, wheel_base_);
    }
    bool watch(const Senses& senses, const MotionOrder* order, Instant now);
    Decision decide(const Senses& senses, const MotionOrder* order) const;
    void limit(Decision& decision, const Senses& senses, bool may_touch) const;
    void limit_by_zones(Decision& decision) const;
    double cap_towards(double clear, bool sees, bool may_touch, MotionReasons& reasons) const;
    void drive(const Decision& decision, Instant now);
    void tell(const Decision& decision, Instant now);

    Body& body_;
    MotionSettings settings_;
    double wheel_base_;
    MotionSenses senses_;
    WheelFeedback feedback_;
    WheelRamp ramp_;
    WheelControl control_;
    MotionOrders orders_;
    Reflexes reflexes_;
    BatteryWatch battery_;
    FaultWatch faults_;

    PlacedZones zones_{};
    MotionPermit permit_{};
    std::optional<StopCause> stop_{};
    std::optional<Duration> supervisor_silence_{};  ///< nullopt: it never gave a sign of life
    std::optional<Instant> last_step_{};
    bool emergency_ = false;
    bool guard_cut_ = false;
    bool dead_man_ = false;  ///< the last order was not renewed
    bool stuck_ = false;
    bool motors_on_ = false;
    bool enabling_failed_ = false;
    bool absent_ = false;  ///< the body cannot be driven at present
    MotionReport report_{};
};

}  // namespace caribou::motion
