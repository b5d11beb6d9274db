// Transverse Mercator by Krüger's series to the fourth order of the third flattening: errors are far below
// a millimeter within a zone.

#include "marine/geodesy.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace caribou::marine {
namespace {

constexpr double equator_radius = 6'378'137;
constexpr double flattening = 1 / 298.257'223'563;
constexpr double grid_scale = 0.9996;
constexpr double n = flattening / (2 - flattening);
constexpr double n2 = n * n;
constexpr double n3 = n2 * n;
constexpr double n4 = n3 * n;
constexpr double rectifying_radius = equator_radius / (1 + n) * (1 + n2 / 4 + n4 / 64);
constexpr std::array<double, 4> forward_terms{n / 2 - 2 * n2 / 3 + 5 * n3 / 16 + 41 * n4 / 180,
                                              13 * n2 / 48 - 3 * n3 / 5 + 557 * n4 / 1440,
                                              61 * n3 / 240 - 103 * n4 / 140, 49'561 * n4 / 161'280};
constexpr std::array<double, 4> inverse_terms{n / 2 - 2 * n2 / 3 + 37 * n3 / 96 - n4 / 360,
                                              n2 / 48 + n3 / 15 - 437 * n4 / 1440,
                                              17 * n3 / 480 - 37 * n4 / 840, 4397 * n4 / 161'280};

const double eccentricity = std::sqrt(flattening * (2 - flattening));

constexpr double radians(double degrees) { return degrees * std::numbers::pi / 180; }
constexpr double degrees_of(double radians) { return radians * 180 / std::numbers::pi; }

}  // namespace

Geodesy::Geodesy(Geographic origin, double meridian)
    : origin_(origin), meridian_(meridian), offset_(grid(origin)) {}

Result<Geodesy> Geodesy::make(Geographic origin) {
    if (!(std::abs(origin.latitude) <= 84) || !(std::abs(origin.longitude) <= 180))
        return fail(Code::invalid_argument,
                    fmt::format("expected an origin within 84 degrees of latitude and 180 of longitude, "
                                "found {}, {}",
                                origin.latitude, origin.longitude));
    const double zone = std::min(std::floor((origin.longitude + 180) / 6), 59.0);
    return Geodesy(origin, zone * 6 - 177);
}

Vec2 Geodesy::grid(Geographic point) const {
    const double sine = std::sin(radians(point.latitude));
    const double conformal = std::sinh(std::atanh(sine) - eccentricity * std::atanh(eccentricity * sine));
    const double along = radians(point.longitude - meridian_);
    const double xi = std::atan2(conformal, std::cos(along));
    const double eta = std::asinh(std::sin(along) / std::hypot(conformal, std::cos(along)));
    double north = xi;
    double east = eta;
    for (std::size_t j = 0; j < forward_terms.size(); ++j) {
        const double k = 2 * static_cast<double>(j + 1);
        north += forward_terms[j] * std::sin(k * xi) * std::cosh(k * eta);
        east += forward_terms[j] * std::cos(k * xi) * std::sinh(k * eta);
    }
    return Vec2{east, north} * (grid_scale * rectifying_radius);
}

Geographic Geodesy::from_grid(Vec2 grid) const {
    const double north = grid.y / (grid_scale * rectifying_radius);
    const double east = grid.x / (grid_scale * rectifying_radius);
    double xi = north;
    double eta = east;
    for (std::size_t j = 0; j < inverse_terms.size(); ++j) {
        const double k = 2 * static_cast<double>(j + 1);
        xi -= inverse_terms[j] * std::sin(k * north) * std::cosh(k * east);
        eta -= inverse_terms[j] * std::cos(k * north) * std::sinh(k * east);
    }
    const double along = std::atan2(std::sinh(eta), std::cos(xi));
    const double conformal = std::sin(xi) / std::hypot(std::sinh(eta), std::cos(xi));
    // The latitude of a conformal latitude, by fixed-point iteration; each step gains two digits or more.
    const double target = std::asinh(conformal);
    double sine = std::tanh(target);
    for (int i = 0; i < 8; ++i) sine = std::tanh(target + eccentricity * std::atanh(eccentricity * sine));
    return {degrees_of(std::asin(sine)), meridian_ + degrees_of(along)};
}

Vec2 Geodesy::local(Geographic point) const { return grid(point) - offset_; }

Geographic Geodesy::geographic(Vec2 point) const { return from_grid(point + offset_); }

}  // namespace caribou::marine
