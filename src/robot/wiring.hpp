#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "base/text_fault.hpp"
#include "loop/time.hpp"
#include "motion/body.hpp"

namespace caribou::robot {

/// A motor behind a driver with a PWM input for the speed and a line for the direction.
struct MotorWiring {
    std::string pwm_chip = "/sys/class/pwm/pwmchip0";
    unsigned pwm_channel = 0;
    unsigned direction_line = 0;  ///< low: forward
    bool reversed = false;        ///< mounted in the opposite direction
    double full_speed = 0.6;      ///< m/s of its wheel at full duty

    friend bool operator==(const MotorWiring&, const MotorWiring&) = default;
};

/// The wiring of a robot on Linux.
struct Wiring {
    /// The sensors of the board on the serial port, and the dimensions of the robot.
    motion::BodyPlan plan{};
    MotorWiring right{};
    MotorWiring left{.pwm_channel = 1, .direction_line = 1};
    Duration pwm_period = std::chrono::microseconds(50);
    std::string gpio_chip = "/dev/gpiochip0";
    unsigned enable_line = 2;  ///< high: the motor driver is enabled
    /// Held high by the guard, and by nothing else: low switches the motors off. None: there is no guard.
    std::optional<unsigned> guard_line{};
    std::optional<unsigned> fault_line{};      ///< low: the driver reports a fault
    std::optional<unsigned> emergency_line{};  ///< low or open: stop
    // Push buttons; low: pressed.
    std::optional<unsigned> release_button{};
    std::optional<unsigned> power_off_button{};
    std::string serial = "/dev/ttyACM0";
    int baud = 115200;
    Duration stale_after = std::chrono::milliseconds(250);  ///< maximum age of a reading
};

/// Return the lines of the chip that the body writes, and those that it reads, without the buttons.
std::vector<unsigned> gpio_outputs(const Wiring& wiring);
std::vector<unsigned> gpio_inputs(const Wiring& wiring);

/// Reads a wiring file (docs/formats/wiring.md). Returns all errors.
std::expected<Wiring, std::vector<TextFault>> read_wiring(const NamedText& file);

}  // namespace caribou::robot
