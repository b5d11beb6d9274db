#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "loop/clock.hpp"
#include "motion/body.hpp"

namespace caribou::motion {

/// A body for tests: its wheels follow orders at once, and its sensors return values set by the test.
class BodyRig final : public Body {
public:
    /// Sensors by name; initially ranges have no echo, the lidar looks aside, and the battery is full.
    explicit BodyRig(const Clock& clock) : clock_(clock), last_(clock.now()) {
        constexpr double back = std::numbers::pi;
        add({"encoder_right", SensorKind::encoder_right}, std::int64_t{0});
        add({"encoder_left", SensorKind::encoder_left}, std::int64_t{0});
        add({"front", SensorKind::range, {0.15, 0.0, 0.0}, 2.0, true, true}, far);
        add({"rear", SensorKind::range, {-0.15, 0.0, back}, 2.0, false, true}, far);
        add({"bumper_front", SensorKind::bumper, {0.15, 0.0, 0.0}}, false);
        add({"bumper_rear", SensorKind::bumper, {-0.15, 0.0, back}}, false);
        add({"cliff_front", SensorKind::cliff, {0.15, 0.0, 0.0}}, false);
        add({"cliff_rear", SensorKind::cliff, {-0.15, 0.0, back}}, false);
        add({"battery", SensorKind::battery}, BatteryReading{});
        add({"emergency", SensorKind::emergency_stop}, false);
        add({"imu", SensorKind::imu}, NoReading{});
        add({"lidar", SensorKind::lidar}, aside());
        add({"eyes", SensorKind::eyes, {}, 3.0, false, true}, std::make_shared<const Sights>());
    }

    static constexpr double far = std::numeric_limits<double>::infinity();

    void say(const std::string& sensor, SensorReading reading) {
        readings_.at(index(sensor)) = reading;
        looks_aside_ &= sensor != "lidar";
    }
    std::size_t index(const std::string& sensor) const {
        std::size_t i = 0;
        while (plan_.sensors.at(i).name != sensor) ++i;
        return i;
    }

    bool motors_on = false;
    bool refuses_motors = false;
    bool wheels_blocked = false;
    bool never_brakes = false;  ///< orders to be slower are ignored
    bool encoders_alive = true;
    bool encoders_swapped = false;  ///< each counts the other wheel
    double motor_gain = 1.0;        ///< how fast a wheel turns per speed that is ordered
    double motor_start = 0.0;       ///< m/s, below which it does not turn
    double motor_delay = 0.0;       ///< s, in which it gets two thirds nearer to that speed
    double right_factor = 1.0;      ///< factor by which the right encoder counts too much
    std::string complaint{};
    std::string away{};                 ///< absence
    std::set<std::size_t> unpowered{};  ///< sensors
    WheelSpeeds driven{};
    int drive_calls = 0;
    BodyLights lights = BodyLights::off;

    const BodyPlan& plan() const override { return plan_; }
    SensorReading read(std::size_t sensor) override {
        roll();
        const SensorKind kind = plan_.sensors.at(sensor).kind;
        if (kind == SensorKind::encoder_right) return ticks(encoders_swapped ? left_ : right_ * right_factor);
        if (kind == SensorKind::encoder_left) return ticks(encoders_swapped ? right_ : left_);
        if (kind == SensorKind::lidar && looks_aside_) readings_.at(sensor) = aside();
        return readings_.at(sensor);
    }
    Result<void> enable_motors(bool enabled) override {
        if (!away.empty()) return fail(Code::unavailable, away);
        if (refuses_motors && enabled) return fail(Code::io, "the driver does not answer");
        roll();
        motors_on = enabled;
        if (!enabled) driven = {};
        return {};
    }
    bool motors_enabled() override { return motors_on && away.empty(); }
    void drive(WheelSpeeds speeds) override {
        roll();
        ++drive_calls;
        if (never_brakes && std::abs(speeds.left) < std::abs(driven.left)) return;
        if (motors_on) driven = speeds;
    }
    Result<void> cut_motors() override {
        motors_on = false;
        driven = {};
        return {};
    }
    std::string motor_fault() override { return complaint; }
    std::string absence() override { return away; }
    Result<void> set_power(std::size_t sensor, bool on) override {
        unpowered.erase(sensor);
        if (!on) unpowered.insert(sensor);
        return {};
    }
    void set_lights(BodyLights wanted) override { lights = wanted; }
    std::vector<PartCheck> self_check() override { return {}; }

    double rolled_right() const { return right_; }
    double rolled_left() const { return left_; }

private:
    /// Returns a new scan of one beam that shows nothing, to the left.
    static SensorReading aside() {
        return std::make_shared<const LidarScan>(LidarScan{1.5, 0.1, {static_cast<float>(far)}});
    }
    void add(SensorPlan sensor, SensorReading reading) {
        plan_.sensors.push_back(std::move(sensor));
        readings_.push_back(std::move(reading));
    }
    SensorReading ticks(double rolled) const {
        if (!encoders_alive) return NoReading{};
        return static_cast<std::int64_t>(std::llround(rolled / plan_.metres_per_tick));
    }
    void roll() {
        const double elapsed = to_seconds(clock_.now() - last_);
        last_ = clock_.now();
        if (wheels_blocked) return;
        turn(right_speed_, driven.right, elapsed);
        turn(left_speed_, driven.left, elapsed);
        right_ += right_speed_ * elapsed;
        left_ += left_speed_ * elapsed;
    }
    void turn(double& speed, double ordered, double elapsed) const {
        const double goal =
            std::copysign(std::max(0.0, std::abs(ordered) - motor_start), ordered) * motor_gain;
        speed = motor_delay == 0.0 ? goal : goal + (speed - goal) * std::exp(-elapsed / motor_delay);
    }

    const Clock& clock_;
    BodyPlan plan_{};
    std::vector<SensorReading> readings_;
    bool looks_aside_ = true;  ///< the lidar, until a test sets its reading
    Instant last_;
    double right_ = 0.0;
    double left_ = 0.0;
    double right_speed_ = 0.0;  ///< m/s
    double left_speed_ = 0.0;
};

}  // namespace caribou::motion
