#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace caribou::app {

/// Accepts a number in [low, high]. CLI::Range would accept text that is not a number, and without a
/// validator an empty text counts as 0.
CLI::Validator number_from(double low, double high);
/// Accepts an integer in [low, high], without a sign.
CLI::Validator whole_number_from(std::uint64_t low, std::uint64_t high);
/// Accepts `HOST:PORT` and the other forms of Address::parse().
CLI::Validator network_address();
/// Accepts one of the words. The error lists them, and names the nearest.
CLI::Validator one_of(std::vector<std::string> words);

}  // namespace caribou::app
