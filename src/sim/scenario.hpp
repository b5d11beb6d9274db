#pragma once

#include <expected>
#include <optional>
#include <vector>

#include "base/text_fault.hpp"
#include "sim/scripted_trouble.hpp"
#include "world/fault.hpp"

namespace caribou::sim {

/// A run as a file describes it: docs/formats/scenario.md. What it does not say is left as it is.
struct Scenario {
    std::optional<std::size_t> robots{};
    std::optional<Duration> time{};
    std::optional<Duration> trouble{};  ///< zero: none but that of the script
    std::vector<ScriptedTrouble> script{};
    std::vector<world::Fault> faults{};
};

/// Tells everything that is wrong.
std::expected<Scenario, std::vector<TextFault>> read_scenario(const NamedText& file);

}  // namespace caribou::sim
