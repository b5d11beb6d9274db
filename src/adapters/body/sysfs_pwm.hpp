#pragma once

#include <string>

#include "base/result.hpp"
#include "loop/time.hpp"
#include "platform/descriptor.hpp"

namespace caribou {

/// One channel of a PWM chip below /sys/class/pwm.
class SysfsPwm {
public:
    /// `chip` is a path such as /sys/class/pwm/pwmchip0. Exports the channel if necessary and enables it with
    /// duty 0.
    static Result<SysfsPwm> open(const std::string& chip, unsigned channel, Duration period);

    /// Sets the duty cycle, from 0 to 1.
    Result<void> set(double duty);

private:
    SysfsPwm(std::string path, Descriptor duty, Duration period)
        : path_(std::move(path)), duty_(std::move(duty)), period_(period) {}

    std::string path_;
    Descriptor duty_;
    Duration period_;
};

}  // namespace caribou
