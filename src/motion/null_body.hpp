#pragma once

#include "motion/body.hpp"

namespace caribou::motion {

/// A body without motors and sensors, for tests of a station and for machines without wheels.
class NullBody final : public Body {
public:
    const BodyPlan& plan() const override { return plan_; }
    SensorReading read(std::size_t) override { return NoReading{}; }
    Result<void> enable_motors(bool enabled) override {
        enabled_ = enabled;
        return {};
    }
    bool motors_enabled() override { return enabled_; }
    void drive(WheelSpeeds) override {}
    Result<void> cut_motors() override {
        enabled_ = false;
        return {};
    }
    std::string motor_fault() override { return {}; }
    Result<void> set_power(std::size_t, bool) override { return {}; }
    void set_lights(BodyLights) override {}
    std::vector<PartCheck> self_check() override { return {{"motors", true, {}}}; }

private:
    BodyPlan plan_{};
    bool enabled_ = false;
};

}  // namespace caribou::motion
