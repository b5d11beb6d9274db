#include "bus/warp_check.hpp"

#include <cmath>

#include "loop/warp.hpp"

namespace caribou::bus {
namespace {

/// If two clocks differ by less than two days, the computed warp is at least this exact.
constexpr double whole_tolerance = 1e-4;
/// A smaller difference may be a wrong clock: this one corresponds to more than two years.
constexpr double least_difference = 0.05;
/// A smaller quotient is not a warped time of day: the clock was never set, or the stamp is -1.
constexpr double least_warp = 0.01;

}  // namespace

double warp_of_stamp(double stamp, double real) {
    const double quotient = stamp / real;
    const double whole = std::round(quotient);
    const bool is_warp = whole >= 2 && whole <= Warp::max_factor;
    return is_warp && std::abs(quotient / whole - 1) < whole_tolerance ? whole : 1;
}

std::optional<double> different_warp(double stamp, double real, double own) {
    const double warp = stamp / real;
    if (!(warp >= least_warp && warp <= Warp::max_factor * (1 + least_difference))) return std::nullopt;
    if (std::abs(warp / own - 1) < least_difference) return std::nullopt;
    return warp;
}

}  // namespace caribou::bus
