#include "marine/pid.hpp"

#include <algorithm>
#include <numeric>

namespace caribou::marine {

double Pid::step(double error, double time) {
    const double dt = last_error_ ? time - last_time_ : 0;
    if (dt > 0) {
        slopes_.push_back((error - *last_error_) / dt);
        if (slopes_.size() > derivative_window) slopes_.pop_front();
        if (gains_.ki > 0)
            integral_ =
                std::clamp(integral_ + gains_.ki * error * dt, -gains_.integral_limit, gains_.integral_limit);
    }
    last_error_ = error;
    last_time_ = time;
    const double slope = slopes_.empty() ? 0
                                         : std::accumulate(slopes_.begin(), slopes_.end(), 0.0) /
                                               static_cast<double>(slopes_.size());
    return std::clamp(gains_.kp * error + gains_.kd * slope + integral_, -gains_.maximum, gains_.maximum);
}

}  // namespace caribou::marine
