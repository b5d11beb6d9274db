#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "base/text_fault.hpp"
#include "loop/time.hpp"
#include "motion/body.hpp"

namespace caribou::robot {

/// A motor behind a driver with one input for the speed and one for the direction.
struct MotorWiring {
    std::string pwm_chip = "/sys/class/pwm/pwmchip0";
    unsigned pwm_channel = 0;
    unsigned direction_line = 0;  ///< low: ahead
    bool reversed = false;        ///< it is mounted the other way round
    double full_speed = 0.6;      ///< m/s of its wheel at full duty

    friend bool operator==(const MotorWiring&, const MotorWiring&) = default;
};

/// What is connected where on a robot that runs Linux.
struct Wiring {
    /// The sensors that the board on the serial port speaks of, and the measures of the robot.
    motion::BodyPlan plan{};
    MotorWiring right{};
    MotorWiring left{.pwm_channel = 1, .direction_line = 1};
    Duration pwm_period = std::chrono::microseconds(50);
    std::string gpio_chip = "/dev/gpiochip0";
    unsigned enable_line = 2;                  ///< high: the motors' driver is awake
    std::optional<unsigned> fault_line{};      ///< low: the driver complains
    std::optional<unsigned> emergency_line{};  ///< low or open: stop
    std::string serial = "/dev/ttyACM0";
    int baud = 115200;
    Duration stale_after = std::chrono::milliseconds(250);  ///< a reading counts for this long
};

/// Of a chip's lines, those that are written and those that are read.
std::vector<unsigned> gpio_outputs(const Wiring& wiring);
std::vector<unsigned> gpio_inputs(const Wiring& wiring);

/// Reads what docs/formats/wiring.md describes, or tells everything that is wrong with it.
std::expected<Wiring, std::vector<TextFault>> read_wiring(const NamedText& file);

}  // namespace caribou::robot
