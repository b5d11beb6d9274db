#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "kit/program/exit.hpp"

namespace caribou::app {

/// Prints the error, the most similar valid word, and where to find help. `program` has a name.
Exit explain(const CLI::ParseError& error, const CLI::App& program);

/// Returns the help of the innermost command on the command line, with a complete usage line: `caribou db
/// [OPTIONS]`.
std::string help_of(const CLI::App& program);

}  // namespace caribou::app
