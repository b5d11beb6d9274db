#pragma once

#include <cstddef>

#include "base/result.hpp"
#include "driver/frame.hpp"
#include "motion/body.hpp"

/// Checks of what a driver sent, beyond its format. Each error names the field and its value.
namespace caribou::driver {

/// Checks version, measures and sensors.
Result<void> check_hello(const Hello& hello);
/// Checks one state against the sensors of the hello: counts, finite numbers, ranges of values.
Result<void> check_state(const State& state, const Hello& hello);
/// Checks that `state` can follow `before`: time and encoders.
Result<void> check_next_state(const State& state, const State& before, const Hello& hello);
Result<void> check_scan(const Scan& scan);
Result<void> check_sights(const Sights& sights);

/// Returns the number of sensors of the hello that a state reports in `switches`.
std::size_t switch_count(const Hello& hello);
/// Whether a state reports sensors of this kind in `switches`.
bool is_switch(motion::SensorKind kind);

/// Returns the body that a checked hello describes.
motion::BodyPlan plan_of(const Hello& hello);

}  // namespace caribou::driver
