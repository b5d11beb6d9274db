#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace caribou::marine {

/// The speed in m/s that a vehicle has in the end with a thrust from -100 to 100.
class ThrustMap {
public:
    /// `20:1, 40:2`, ascending. An empty text leaves only `factor`: speed = thrust / factor.
    static Result<ThrustMap> parse(std::string_view text, double factor, bool reflects);

    double speed(double thrust) const;

private:
    double mapped(double thrust) const;

    std::vector<std::pair<double, double>> pairs_;  ///< ascending by thrust; contains (0, 0)
    bool has_negative_ = false;
    bool reflects_ = false;
};

}  // namespace caribou::marine
