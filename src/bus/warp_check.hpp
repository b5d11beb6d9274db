#pragma once

#include <optional>

namespace caribou::bus {

// The time warp of a community is not on the wire: it shows only in the stamps, which are UNIX time
// multiplied by it.

/// Returns the time warp of a program that wrote `stamp` at the UNIX time `real`: a whole number from 2 on.
/// Returns 1 if the quotient is not close to one; then the clock of one of the two machines may be wrong.
double warp_of_stamp(double stamp, double real);

/// Returns the time warp that `stamp` shows if it differs from `own`, and nullopt if it does not or if
/// `stamp` is not a time of day.
std::optional<double> different_warp(double stamp, double real, double own);

}  // namespace caribou::bus
