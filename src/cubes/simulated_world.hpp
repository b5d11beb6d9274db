#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "cubes/cube_console.hpp"
#include "cubes/simulated_radio.hpp"

namespace caribou::cubes {

/// Commands for simulated cubes and their radio, given as lines of text, in addition to those of CubeConsole.
class SimulatedWorld {
public:
    SimulatedWorld(Loop& loop, SimulatedRadio& radio, SimulatedCube& cube)
        : loop_(loop), radio_(radio), cube_(cube) {}

    /// Returns whether the line is one of these commands.
    static bool knows(std::string_view line);
    Result<std::string> run(std::string_view line);
    static const std::vector<CubeCommand>& commands();

private:
    Loop& loop_;
    SimulatedRadio& radio_;
    SimulatedCube& cube_;
};

}  // namespace caribou::cubes
