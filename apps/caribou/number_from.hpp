#pragma once

#include <CLI/CLI.hpp>

namespace caribou::app {

/// A number in [low, high]. CLI::Range lets pass what is not a number, and without it an empty text
/// counts as 0.
CLI::Validator number_from(double low, double high);

}  // namespace caribou::app
