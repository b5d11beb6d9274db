#pragma once

#include <expected>
#include <optional>
#include <vector>

#include "base/text_fault.hpp"
#include "sim/scripted_trouble.hpp"
#include "world/fault.hpp"

namespace caribou::sim {

/// A run described by a file (docs/formats/scenario.md). Missing keys leave the defaults.
struct Scenario {
    std::optional<std::size_t> robots{};
    std::optional<Duration> time{};
    std::optional<Duration> trouble{};  ///< zero: only the scripted faults
    std::vector<ScriptedTrouble> script{};
    std::vector<world::Fault> faults{};
};

/// Returns the scenario, or all errors in the file.
std::expected<Scenario, std::vector<TextFault>> read_scenario(const NamedText& file);

}  // namespace caribou::sim
