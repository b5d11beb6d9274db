#pragma once

namespace caribou {

/// How a robot moves on the floor, in its own frame.
struct Velocity {
    double forward = 0.0;  ///< m/s; negative: backward
    double turn = 0.0;     ///< rad/s; positive: to the left

    friend bool operator==(const Velocity&, const Velocity&) = default;
};

}  // namespace caribou
