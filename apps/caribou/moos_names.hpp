#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace caribou::app {

/// A program of MOOS, and the command that takes its place.
struct MoosName {
    std::string_view program;
    std::string_view command;
};

/// The programs that `caribou` is if it is called by their names.
inline constexpr std::array<MoosName, 10> moos_names{{{"MOOSDB", "db"},
                                                      {"pLogger", "logger"},
                                                      {"pShare", "share"},
                                                      {"uProcessWatch", "process-watch"},
                                                      {"uTimerScript", "timer-script"},
                                                      {"uSimMarine", "marine-sim"},
                                                      {"uSimMarineV22", "marine-sim"},
                                                      {"pMarinePID", "marine-pid"},
                                                      {"pMarinePIDV22", "marine-pid"},
                                                      {"pNodeReporter", "node-reporter"}}};

/// Returns the command that takes the place of a program of MOOS.
constexpr std::optional<std::string_view> command_for(std::string_view program) {
    for (const MoosName& name : moos_names)
        if (name.program == program) return name.command;
    return std::nullopt;
}

/// The programs of MOOS whose work another part of Caribou does, not by a command of the same interface.
inline constexpr std::array<MoosName, 13> replaced_programs{
    {{"pAntler", "`caribou launch`"},
     {"uXMS", "`caribou scope`"},
     {"uMS", "`caribou scope`"},
     {"uPokeDB", "`caribou poke`"},
     {"uQueryDB", "`caribou query`"},
     {"uMAC", "`caribou appcast`"},
     {"uMACView", "`caribou appcast`"},
     {"nsplug", "`caribou mission expand`"},
     {"uPlayback", "`caribou replay`"},
     {"alogview", "`caribou alog view`"},
     {"pHelmIvP", "`caribou helm` with a tree of behaviors"},
     {"pMarineViewer", "the broker's page /marine (`WebServerPort = 9080` in the mission file)"},
     {"pMOOSBridge", "`caribou share --config PLAN.toml`"}}};

/// Returns what to use instead of a program of MOOS that is none of `moos_names`.
constexpr std::optional<std::string_view> instead_of(std::string_view program) {
    for (const MoosName& name : replaced_programs)
        if (name.program == program) return name.command;
    return std::nullopt;
}

}  // namespace caribou::app
