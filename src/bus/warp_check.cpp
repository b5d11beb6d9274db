#include "bus/warp_check.hpp"

#include <cmath>

#include "loop/warp.hpp"

namespace caribou::bus {
namespace {

/// Two clocks that differ by less than two days show a warp this exactly.
constexpr double whole_tolerance = 1e-4;
/// A warp that differs by less may be a wrong clock: it is two years and more.
constexpr double least_difference = 0.05;
/// Below this a stamp is not a time of day multiplied by anything: a clock that was never set, or -1.
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
