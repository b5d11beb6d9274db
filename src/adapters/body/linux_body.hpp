#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/body/gpio_lines.hpp"
#include "adapters/body/serial_port.hpp"
#include "adapters/body/sysfs_pwm.hpp"
#include "base/log.hpp"
#include "devices/sensor_line.hpp"
#include "loop/clock.hpp"
#include "motion/body.hpp"
#include "robot/wiring.hpp"

namespace caribou {

/// A robot body on Linux: PWM and GPIO lines to the motor driver, an emergency stop on a GPIO line, and a
/// sensor board on a serial port. Thread-safe.
class LinuxBody final : public motion::Body {
public:
    /// Name of the sensor on the emergency line of the wiring.
    static constexpr std::string_view emergency_name = "emergency_stop";

    /// `clock` and `log` must outlive this object; the log is used from the serial port's thread.
    static Result<std::unique_ptr<LinuxBody>> open(robot::Wiring settings, std::unique_ptr<GpioLines> gpio,
                                                   const Clock& clock, Log& log);
    ~LinuxBody() override;

    const motion::BodyPlan& plan() const override { return settings_.plan; }
    motion::SensorReading read(std::size_t sensor) override;
    Result<void> enable_motors(bool enabled) override;
    bool motors_enabled() override { return enabled_; }
    void drive(motion::WheelSpeeds speeds) override;
    /// Pulls the enable line and reads it back, without taking a lock.
    Result<void> cut_motors() override;
    std::string motor_fault() override;
    Result<void> set_power(std::size_t sensor, bool on) override;
    void set_lights(motion::BodyLights lights) override;
    std::vector<motion::PartCheck> self_check() override;

private:
    struct Motor {
        robot::MotorWiring settings;
        SysfsPwm pwm;
    };
    struct Heard {
        motion::SensorReading reading{};
        Instant at{};
    };

    LinuxBody(robot::Wiring settings, std::unique_ptr<GpioLines> gpio, const Clock& clock, Log& log,
              SysfsPwm right, SysfsPwm left);
    void hear(std::string_view bytes);
    Result<void> turn(Motor& motor, double speed);
    motion::SensorReading emergency_input();

    robot::Wiring settings_;
    std::unique_ptr<GpioLines> gpio_;
    const Clock& clock_;
    Log& log_;
    std::optional<std::size_t> emergency_sensor_;  ///< index in the plan, if it is on a GPIO line
    std::atomic<bool> enabled_ = false;
    std::atomic<unsigned> cuts_ = 0;  ///< lets enable_motors detect a concurrent cut
    std::mutex mutex_;
    Motor right_;                // guarded by mutex_
    Motor left_;                 // guarded by mutex_
    std::vector<Heard> heard_;   // guarded by mutex_
    std::string trouble_;        // error of the motors; guarded by mutex_
    devices::LineCutter lines_;  ///< used on the serial port's thread
    std::unique_ptr<SerialPort> serial_;
};

}  // namespace caribou
