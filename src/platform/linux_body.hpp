#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "loop/clock.hpp"
#include "platform/gpio_lines.hpp"
#include "platform/serial_port.hpp"
#include "platform/sysfs_pwm.hpp"
#include "robot/body.hpp"
#include "robot/sensor_line.hpp"

namespace caribou {

/// A motor behind a driver with one input for the speed and one for the direction.
struct LinuxMotor {
    std::string pwm_chip = "/sys/class/pwm/pwmchip0";
    unsigned pwm_channel = 0;
    unsigned direction_line = 0;  ///< low: ahead
    bool reversed = false;        ///< it is mounted the other way round
    double full_speed = 0.6;      ///< m/s of its wheel at full duty
};

struct LinuxBodySettings {
    /// The sensors that the board on the serial port speaks of, and the measures of the robot.
    robot::BodyPlan plan{};
    LinuxMotor right{};
    LinuxMotor left{.pwm_channel = 1, .direction_line = 1};
    Duration pwm_period = std::chrono::microseconds(50);
    std::string gpio_chip = "/dev/gpiochip0";
    unsigned enable_line = 2;                  ///< high: the motors' driver is awake
    std::optional<unsigned> fault_line{};      ///< low: the driver complains
    std::optional<unsigned> emergency_line{};  ///< low or open: stop
    std::string serial = "/dev/ttyACM0";
    int baud = 115200;
    Duration stale_after = std::chrono::milliseconds(250);  ///< a reading counts for this long
};

/// The outputs and inputs that the settings name, for open_gpio.
std::vector<unsigned> gpio_outputs(const LinuxBodySettings& settings);
std::vector<unsigned> gpio_inputs(const LinuxBodySettings& settings);

/// A robot on Linux: PWM and GPIO lines to the motors' driver, an emergency stop on a GPIO line, and a
/// board with sensors on a serial port. Any thread may call.
class LinuxBody final : public robot::Body {
public:
    /// `clock` and `log` outlive it; the log is written from the serial port's thread.
    static Result<std::unique_ptr<LinuxBody>> open(LinuxBodySettings settings,
                                                   std::unique_ptr<GpioLines> gpio, const Clock& clock,
                                                   Log& log);
    ~LinuxBody() override;

    const robot::BodyPlan& plan() const override { return settings_.plan; }
    robot::SensorReading read(std::size_t sensor) override;
    Result<void> enable_motors(bool enabled) override;
    bool motors_enabled() override { return enabled_; }
    void drive(robot::WheelSpeeds speeds) override;
    /// Pulls the enable line; nothing else is waited for.
    void cut_motors() override;
    std::string motor_fault() override;
    Result<void> set_power(std::size_t sensor, bool on) override;
    void set_lights(robot::BodyLights lights) override;
    std::vector<robot::PartCheck> self_check() override;

private:
    struct Motor {
        LinuxMotor settings;
        SysfsPwm pwm;
    };
    struct Heard {
        robot::SensorReading reading{};
        Instant at{};
    };

    LinuxBody(LinuxBodySettings settings, std::unique_ptr<GpioLines> gpio, const Clock& clock, Log& log,
              SysfsPwm right, SysfsPwm left);
    void hear(std::string_view bytes);
    Result<void> turn(Motor& motor, double speed);
    robot::SensorReading emergency_input();

    LinuxBodySettings settings_;
    std::unique_ptr<GpioLines> gpio_;
    const Clock& clock_;
    Log& log_;
    std::optional<std::size_t> emergency_sensor_;  ///< in the plan, if a GPIO line is it
    std::atomic<bool> enabled_ = false;
    std::mutex mutex_;
    Motor right_;               // guarded by mutex_
    Motor left_;                // guarded by mutex_
    std::vector<Heard> heard_;  // guarded by mutex_
    std::string trouble_;       // of the motors; guarded by mutex_
    robot::LineCutter lines_;   ///< on the serial port's thread
    std::unique_ptr<SerialPort> serial_;
};

}  // namespace caribou
