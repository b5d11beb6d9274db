#include "sim/scenario.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "world/plan_reader.hpp"

namespace caribou::sim {
namespace {

constexpr std::size_t max_faults = 20;
constexpr double longest = 10'000 * 3600.0;  ///< seconds
constexpr double most_robots = 1000;

std::optional<ScriptedTrouble> read_event(world::PlanReader& reader, const JsonNode& table) {
    if (!reader.is_table(table, "an event", {"at", "what", "robot"})) return std::nullopt;
    const auto at = reader.required(table, "at", reader.number(table, "at", 0, longest));
    const auto what = reader.required(table, "what", reader.text(table, "what"));
    const auto robot = reader.number(table, "robot", 0, most_robots - 1).value_or(0);
    if (!at || !what) return std::nullopt;
    const std::vector<std::string> known = trouble_names();
    if (std::ranges::find(known, *what) == known.end()) {
        reader.fault(*table.find("what"),
                     fmt::format("there is no trouble `{}`{}", *what, instead_of(*what, known)));
        return std::nullopt;
    }
    return ScriptedTrouble{from_seconds(*at), *what, static_cast<std::size_t>(robot)};
}

}  // namespace

std::expected<Scenario, std::vector<TextFault>> read_scenario(const NamedText& file) {
    world::PlanReader reader(file, max_faults);
    Scenario scenario;
    if (const JsonNode* root = reader.root()) {
        reader.is_table(*root, "a scenario", {"robots", "hours", "trouble", "event", "fault"});
        if (const auto robots = reader.number(*root, "robots", 1, most_robots))
            scenario.robots = static_cast<std::size_t>(*robots);
        if (const auto hours = reader.number(*root, "hours", 0.001, longest / 3600))
            scenario.time = from_seconds(*hours * 3600);
        if (const auto trouble = reader.number(*root, "trouble", 0, longest))
            scenario.trouble = from_seconds(*trouble);
        for (const JsonNode* table : reader.tables(*root, "event"))
            if (auto event = read_event(reader, *table)) scenario.script.push_back(std::move(*event));
        for (const JsonNode* table : reader.tables(*root, "fault"))
            if (auto fault = reader.read_fault(*table)) scenario.faults.push_back(std::move(*fault));
    }
    if (reader.has_faults()) return std::unexpected(reader.take_faults());
    std::ranges::stable_sort(scenario.script, {}, &ScriptedTrouble::at);
    std::ranges::stable_sort(scenario.faults, {}, &world::Fault::at);
    return scenario;
}

}  // namespace caribou::sim
