#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>

#include "adapters/body/propulsion_thread.hpp"
#include "motion/null_body.hpp"
#include "rounds.hpp"

namespace caribou::bench {

/// Motors that record when an awaited event happens.
class MotorProbe final : public motion::Body {
public:
    /// A lower speed, zero, or another speed is ordered.
    enum class Event { slower, rest, other };

    /// Starts to wait for an event and clears the record.
    void watch_for(Event event) {
        const std::lock_guard lock(mutex_);
        watched_ = event;
        noted_.reset();
    }
    /// Returns when it happened, or nullopt if it did not within a second.
    std::optional<SteadyTime> noted() {
        std::unique_lock lock(mutex_);
        news_.wait_for(lock, std::chrono::seconds(1), [&] { return noted_.has_value(); });
        return noted_;
    }
    /// Waits until the motors are ordered to run at this speed. Returns false after five seconds.
    bool reaches(double speed) {
        std::unique_lock lock(mutex_);
        return news_.wait_for(lock, std::chrono::seconds(5), [&] { return driven_.right == speed; });
    }

    const motion::BodyPlan& plan() const override { return null_.plan(); }
    motion::SensorReading read(std::size_t) override { return motion::NoReading{}; }
    Result<void> enable_motors(bool enabled) override { return null_.enable_motors(enabled); }
    bool motors_enabled() override { return null_.motors_enabled(); }
    void drive(motion::WheelSpeeds speeds) override {
        const SteadyTime at = now();
        {
            const std::lock_guard lock(mutex_);
            const bool happens = watched_ == Event::slower ? speeds.right < driven_.right
                                 : watched_ == Event::rest ? speeds == motion::WheelSpeeds{}
                                                           : speeds != driven_;
            if (happens && !noted_) noted_ = at;
            driven_ = speeds;
        }
        news_.notify_all();
    }
    Result<void> cut_motors() override { return {}; }
    std::string motor_fault() override { return {}; }
    Result<void> set_power(std::size_t, bool) override { return {}; }
    void set_lights(motion::BodyLights) override {}
    std::vector<motion::PartCheck> self_check() override { return {}; }

private:
    motion::NullBody null_;
    std::mutex mutex_;
    std::condition_variable news_;
    motion::WheelSpeeds driven_{};
    Event watched_ = Event::slower;
    std::optional<SteadyTime> noted_;
};

/// A robot that consists of propulsion and such motors only. It reaches its speed in a step or two.
class BareRobot final : public motion::MotionEvents {
public:
    static motion::MotionSettings settings() {
        return {.acceleration = 20.0,
                .deceleration = 20.0,
                .stop_deceleration = 20.0,
                .stall_after = std::chrono::seconds(1)};
    }
    BareRobot() {
        propulsion.permit({true, {motion::MotionSource::operator_}});
        need_started(propulsion.start().has_value());
    }

    /// Orders both wheels to run at this level.
    void order(int level) {
        propulsion.order({motion::MotionSource::operator_, *motion::MovementCommand::of(level, level)});
    }
    /// Blocks until the motors follow the order. It creeps, because it has no sensors.
    void get_moving() {
        order(1);
        need_started(motors.reaches(settings().creep_speed));
    }

    void on_answer(const motion::MotionAnswer&) override {}
    void on_report(const motion::MotionReport&) override {}

    NullLog log;
    MotorProbe motors;
    PropulsionThread propulsion{motors, settings(), *this, log};

private:
    static void need_started(bool started);
};

}  // namespace caribou::bench
