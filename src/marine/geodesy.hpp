#pragma once

#include <array>

#include "base/geometry.hpp"
#include "base/result.hpp"

namespace caribou::marine {

/// A position on the earth (WGS 84), in degrees.
struct Geographic {
    double latitude = 0;
    double longitude = 0;
};

/// Local coordinates around an origin: the difference of UTM coordinates in the zone of the origin, in
/// meters. The axes follow the grid of the zone, so that y is not exactly true north.
class Geodesy {
public:
    /// Fails if the origin is beyond 84 degrees of latitude, where UTM is not defined, or not on the earth.
    static Result<Geodesy> make(Geographic origin);

    Vec2 local(Geographic point) const;
    Geographic geographic(Vec2 point) const;
    Geographic origin() const { return origin_; }

private:
    Geodesy(Geographic origin, double meridian);
    Vec2 grid(Geographic point) const;
    Geographic from_grid(Vec2 grid) const;

    Geographic origin_;
    double meridian_;  ///< central meridian of the zone, in degrees
    Vec2 offset_{};    ///< of the origin in the grid
};

}  // namespace caribou::marine
