#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "bus/app_command_line.hpp"
#include "bus/iterate_schedule.hpp"
#include "bus/mission.hpp"
#include "bus/parameters.hpp"

namespace caribou::bus {

/// What every app can be told, with the defaults of the original.
struct AppSettings {
    std::string name{};         ///< of the program, and of its block in the mission file
    std::string client_name{};  ///< empty: the same

    // From outside blocks.
    std::string server_host = "localhost";
    int server_port = 9000;
    double time_warp = 1;
    std::string community{};  ///< only to be complete: the broker's word is what counts

    // From the app's block.
    double app_tick = 5;
    double max_app_tick = 5;
    double comms_tick = 5;
    int iterate_mode = 0;
    bool sort_mail_by_time = true;
    bool catch_command_messages = false;
    bool filter_command_messages = false;
    bool use_comms = true;
    bool iterate_without_comms = false;
    bool quit_on_iterate_fail = false;
    bool quiet = false;

    IteratePace pace() const { return {IterateMode(iterate_mode), app_tick, max_app_tick}; }
};

/// Declares what stands in the app's block.
void declare(Parameters& parameters, AppSettings& settings);

/// Fills settings and parameters from the command line and a mission file. The command line goes
/// first, but for AppTick, MaxAppTick and IterateMode, where the file does, as in the original.
/// Returns the warnings; the error is everything that is wrong, a line each.
Result<std::vector<std::string>> configure(AppSettings& settings, Parameters& parameters,
                                           const AppCommandLine& line, const Mission& mission);

}  // namespace caribou::bus
