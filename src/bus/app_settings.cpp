#include "bus/app_settings.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/nearest.hpp"
#include "loop/warp.hpp"

namespace caribou::bus {
namespace {

/// Collects errors, so that all of them are reported together.
class Complaints {
public:
    void add(std::string_view path, const std::vector<MissionFinding>& findings) {
        for (const MissionFinding& finding : findings)
            (finding.kind == MissionFinding::Kind::error ? errors_ : warnings_)
                .push_back(to_string(path, finding));
    }
    void add(const MissionSetting& word, const Error& error) {
        errors_.push_back(fmt::format("word {} of the command line: {}", word.line, error.message));
    }
    Result<std::vector<std::string>> result() && {
        if (errors_.empty()) return std::move(warnings_);
        std::string all;
        for (const std::string& error : errors_) all += (all.empty() ? "" : "\n") + error;
        return fail(Code::invalid_argument, std::move(all));
    }

private:
    std::vector<std::string> errors_;
    std::vector<std::string> warnings_;
};

bool file_goes_first(std::string_view key) {
    return std::ranges::any_of(
        std::initializer_list<std::string_view>{"AppTick", "MaxAppTick", "IterateMode"},
        [&](std::string_view name) { return same_key(name, key); });
}

MissionFinding missing_block(const std::string& name, const Mission& mission) {
    std::vector<std::string> known;
    for (const MissionBlock& block : mission.blocks) known.push_back(block.name);
    const auto meant = nearest(name, known);
    return {
        MissionFinding::Kind::warning, 1,
        fmt::format("there is no block `ProcessConfig = {}`, so that all parameters have their defaults{}",
                    name, meant ? fmt::format("; did you mean `{}`?", *meant) : "")};
}

}  // namespace

void declare(Parameters& parameters, AppSettings& s) {
    constexpr Range hertz{.low = 0, .high = 1e6};
    parameters.add("AppTick", s.app_tick, hertz, "Iterations per second; 0: as fast as possible");
    parameters.add("MaxAppTick", s.max_app_tick, hertz,
                   "Maximum mail deliveries per second in modes 1 and 2; 0: no limit");
    parameters.add("CommsTick", s.comms_tick, {0.5, 200}, "Packets per second in synchronous mode");
    parameters.add(
        "IterateMode", s.iterate_mode, {0, 2},
        "0: regular iterate and mail, 1: both driven by mail, 2: regular iterate, mail as it arrives");
    parameters.add("SortMailByTime", s.sort_mail_by_time, "Sort mail by its time stamps");
    parameters.add("CatchCommandMessages", s.catch_command_messages, "Call on_command_message for commands");
    parameters.add("moos_filter_command", s.filter_command_messages, "Do not pass commands to on_new_mail");
    parameters.add("UseMOOSComms", s.use_comms, "Connect to a broker");
    parameters.add("moos_iterate_no_comms", s.iterate_without_comms, "Iterate even without a connection");
    parameters.add("moos_quit_on_iterate_fail", s.quit_on_iterate_fail, "Exit when iterate fails");
    parameters.add("moos_quiet", s.quiet, "Only warnings");
}

Result<std::vector<std::string>> configure(AppSettings& settings, Parameters& parameters,
                                           const AppCommandLine& line, const Mission& mission) {
    Complaints complaints;
    complaints.add(mission.path, mission.findings);
    const std::string program = settings.name;
    if (!line.app_name.empty()) settings.name = line.app_name;
    settings.client_name = line.client_name.empty() ? settings.name : line.client_name;

    Parameters globals;
    globals.add("ServerHost", settings.server_host, "");
    globals.add("ServerPort", settings.server_port, {1, 65535}, "");
    globals.add("MOOSTimeWarp", settings.time_warp, {0.01, Warp::max_factor}, "");
    globals.add("Community", settings.community, "");
    std::string of_the_broker;
    globals.add("WebServerPort", of_the_broker, "");
    globals.add("LatOrigin", settings.latitude_origin, {-90, 90}, "");
    globals.add("LongOrigin", settings.longitude_origin, {-180, 180}, "");
    complaints.add(mission.path, globals.fill(mission.settings, UnknownKeys::question));
    for (const MissionSetting& word : line.globals)
        if (auto set = globals.set(word.key, word.value); !set) complaints.add(word, set.error());

    // An instance without a block of its own has that of its program.
    const MissionBlock* block = mission.find_block(settings.name);
    if (!block) block = mission.find_block(program);
    if (block)
        complaints.add(mission.path, parameters.fill(block->settings, settings.unknown_keys));
    else if (!mission.blocks.empty())
        complaints.add(mission.path, {missing_block(settings.name, mission)});
    for (const MissionSetting& word : line.settings) {
        if (file_goes_first(word.key) && parameters.is_set(word.key)) continue;
        if (auto set = parameters.set(word.key, word.value); !set) complaints.add(word, set.error());
    }
    if (block) complaints.add(mission.path, parameters.check_filled(block->settings));
    return std::move(complaints).result();
}

}  // namespace caribou::bus
