#pragma once

#include <atomic>
#include <mutex>
#include <utility>

#include "robot/body.hpp"

namespace caribou {

/// Lets several threads use one body that knows of one: propulsion drives it, telemetry reads it.
class LockedBody final : public robot::Body {
public:
    explicit LockedBody(robot::Body& body) : body_(body) {}

    const robot::BodyPlan& plan() const override { return body_.plan(); }
    robot::SensorReading read(std::size_t sensor) override {
        return alone([&] { return body_.read(sensor); });
    }
    Result<void> enable_motors(bool enabled) override {
        return alone([&] { return body_.enable_motors(enabled); });
    }
    bool motors_enabled() override {
        return alone([&] { return body_.motors_enabled(); });
    }
    void drive(robot::WheelSpeeds speeds) override {
        alone([&] { body_.drive(speeds); });
    }
    /// Waits for nobody: if another call is under way, that one cuts them when it ends.
    void cut_motors() override {
        cut_ = true;
        settle();
    }
    std::string motor_fault() override {
        return alone([&] { return body_.motor_fault(); });
    }
    Result<void> set_power(std::size_t sensor, bool on) override {
        return alone([&] { return body_.set_power(sensor, on); });
    }
    void set_lights(robot::BodyLights lights) override {
        alone([&] { body_.set_lights(lights); });
    }
    std::vector<robot::PartCheck> self_check() override {
        return alone([&] { return body_.self_check(); });
    }
    std::vector<robot::BodyFault> faults() override {
        return alone([&] { return body_.faults(); });
    }
    Result<void> set_fault(std::string_view name, bool broken) override {
        return alone([&] { return body_.set_fault(name, broken); });
    }

    /// Calls it while nobody else uses the body, nor what it stands on: a world.
    template <class Call>
    auto alone(Call call) -> decltype(call()) {
        // After the lock is given back: who asked meanwhile did not wait.
        struct AtTheEnd {
            LockedBody& body;
            ~AtTheEnd() { body.settle(); }
        } const at_the_end{*this};
        const std::lock_guard lock(mutex_);
        cut_if_asked();
        return call();
    }

private:
    void settle() {
        if (!cut_ || !mutex_.try_lock()) return;
        cut_if_asked();
        mutex_.unlock();
    }
    void cut_if_asked() {
        if (cut_.exchange(false)) body_.cut_motors();
    }

    robot::Body& body_;
    std::mutex mutex_;
    std::atomic<bool> cut_ = false;
};

}  // namespace caribou
