#pragma once

#include <deque>
#include <optional>

namespace caribou::marine {

/// Gains of a controller.
struct PidGains {
    double kp = 0;
    double kd = 0;
    double ki = 0;
    double integral_limit = 0;
    double maximum = 100;
};

/// A proportional, integral and derivative controller. The derivative is the mean of the last nine
/// differences.
class Pid {
public:
    static constexpr std::size_t derivative_window = 9;

    explicit Pid(PidGains gains) : gains_(gains) {}

    /// Returns the output for the present error, at a time in seconds.
    double step(double error, double time);

private:
    PidGains gains_;
    std::optional<double> last_error_{};
    double last_time_ = 0;
    double integral_ = 0;
    std::deque<double> slopes_{};
};

}  // namespace caribou::marine
