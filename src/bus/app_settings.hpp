#pragma once

#include <limits>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "bus/app_command_line.hpp"
#include "bus/iterate_schedule.hpp"
#include "bus/mission.hpp"
#include "bus/parameters.hpp"

namespace caribou::bus {

/// Settings that every app has, with the defaults of the original MOOS.
struct AppSettings {
    std::string name{};         ///< of the program and of its block in the mission file
    std::string client_name{};  ///< empty: same as name

    /// What an unknown key of the block is. A program that takes the place of another one warns, and runs.
    UnknownKeys unknown_keys = UnknownKeys::refuse;

    // Keys outside blocks.
    std::string server_host = "localhost";
    int server_port = 9000;
    double time_warp = 1;
    std::string community{};  ///< read, but not used: the broker defines the community
    /// The origin of local coordinates, in degrees (LatOrigin, LongOrigin); NaN if the file has none.
    double latitude_origin = std::numeric_limits<double>::quiet_NaN();
    double longitude_origin = std::numeric_limits<double>::quiet_NaN();

    // Keys in the app's block.
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

/// Declares the settings in the app's block as parameters.
void declare(Parameters& parameters, AppSettings& settings);

/// Fills in settings and parameters from the command line and a mission file. The command line has
/// precedence, except for AppTick, MaxAppTick and IterateMode, where the file has, as in the original.
/// Returns the warnings. The error lists all problems, one per line.
Result<std::vector<std::string>> configure(AppSettings& settings, Parameters& parameters,
                                           const AppCommandLine& line, const Mission& mission);

}  // namespace caribou::bus
