#include "bus/mission_check.hpp"

#include <algorithm>

#include "bus/app_settings.hpp"
#include "bus/broker_settings.hpp"
#include "bus/launch_plan.hpp"
#include "bus/parameters.hpp"

namespace caribou::bus {

std::vector<MissionFinding> check_mission(const Mission& mission, const BlockCheck& check_block) {
    std::vector<MissionFinding> findings;
    const auto fill = [&](Parameters& parameters, const std::vector<MissionSetting>& settings) {
        for (auto& finding : parameters.fill(settings, UnknownKeys::question))
            findings.push_back(std::move(finding));
    };
    BrokerSettings broker;
    Parameters globals;
    declare(globals, broker);
    fill(globals, mission.settings);
    for (const MissionBlock& block : mission.blocks) {
        if (same_key(block.name, "ANTLER") || same_key(block.name, "launch") ||
            same_key(block.name, "program"))
            continue;
        if (auto own = check_block ? check_block(block) : std::nullopt) {
            findings.insert(findings.end(), own->begin(), own->end());
            continue;
        }
        AppSettings app;
        Parameters parameters;
        declare(parameters, app);
        fill(parameters, block.settings);
    }
    for (MissionFinding& finding : check_launch(mission)) findings.push_back(std::move(finding));
    std::ranges::stable_sort(findings, {}, &MissionFinding::line);
    return findings;
}

}  // namespace caribou::bus
