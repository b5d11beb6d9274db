#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "cubes/cube_console.hpp"
#include "cubes/simulated_radio.hpp"

namespace caribou::cubes {

/// What people can do to simulated cubes and their radio, as lines of text beside those of CubeConsole.
class SimulatedWorld {
public:
    SimulatedWorld(Loop& loop, SimulatedRadio& radio, SimulatedCube& cube)
        : loop_(loop), radio_(radio), cube_(cube) {}

    /// Whether the line is for it.
    static bool knows(std::string_view line);
    Result<std::string> run(std::string_view line);
    static const std::vector<CubeCommand>& commands();

private:
    Loop& loop_;
    SimulatedRadio& radio_;
    SimulatedCube& cube_;
};

}  // namespace caribou::cubes
