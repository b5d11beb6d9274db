#include "robot/config_contradictions.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <ranges>
#include <string_view>

#include <fmt/format.h>

#include "base/path_name.hpp"
#include "loop/address.hpp"
#include "robot/map_desk.hpp"

namespace caribou::robot {
namespace {

using Contradict = std::function<void(std::string_view key, std::string text)>;

bool is_host(const std::string& host) {
    const auto address = Address::parse(host + ":1");
    return address && address->kind == Address::Kind::ip;
}

/// Checks the name of a ROS 2 node, or of one part of a namespace: letters, digits and `_`, not first a
/// digit. ROS 2 reserves double underscores.
bool is_ros_word(std::string_view word) {
    const auto is_valid = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    return !word.empty() && word.size() <= 64 && std::ranges::all_of(word, is_valid) &&
           !(word.front() >= '0' && word.front() <= '9') && !word.contains("__");
}

bool is_ros_namespace(std::string_view text) {
    if (text == "/") return true;
    if (!text.starts_with('/')) return false;
    return std::ranges::all_of(std::views::split(text.substr(1), '/'), [](const auto& part) {
        return is_ros_word(std::string_view(part.begin(), part.end()));
    });
}

/// Checks whether the robot can work in the modes in which it starts.
void check_modes(const RobotConfig& config, const Contradict& contradict) {
    if (config.default_run_mode == 3 && config.default_com_mode < 2)
        contradict("DefaultComMode",
                   fmt::format("DefaultRunMode 3 needs DefaultComMode 3, not {}", config.default_com_mode));
    if (config.default_run_mode == 3 && config.default_com_mode == 2 && !config.allow_blind_server_mode)
        contradict("DefaultComMode",
                   "DefaultRunMode 3 with DefaultComMode 2 needs allow_blind_server_mode = true");
    if (config.default_run_mode == 1 && config.wait_time <= 0)
        contradict("DefaultRunMode", "DefaultRunMode 1 needs a wait_time after which it ends");
    if (config.default_run_mode == 2 && config.is_too_slow_for_rm2(from_seconds(1 / config.telemetry_rate)))
        contradict(
            "telemetry.rate",
            fmt::format("telemetry.rate {} Hz is too slow for RM2: behaviors halt while telemetry is older "
                        "than ai.telemetry_limit, {} s; raise one of them",
                        config.telemetry_rate, config.ai_telemetry_limit));
}

/// Checks addresses, and that those of this machine stay on it.
void check_addresses(const RobotConfig& config, const Contradict& contradict) {
    if (!is_host(config.server_ip))
        contradict("ServerIP", fmt::format("ServerIP `{}` is not an address", config.server_ip));
    else if (config.link_plain && !Address::ip(config.server_ip, 0).is_loopback())
        contradict(
            "ServerIP",
            fmt::format("ServerIP {} is not on this machine, and link.plain keeps the link on loopback",
                        config.server_ip));
    if (!Address::parse(config.bus_address))
        contradict("bus.address", fmt::format("bus.address `{}` is not an address, such as 127.0.0.1:9000",
                                              config.bus_address));
    else if (config.bus_host && !Address::parse(config.bus_address)->is_loopback())
        contradict("bus.address",
                   fmt::format("bus.host listens on this machine only, and bus.address is {}; for other "
                               "machines start `caribou db --insecure-lan` and set bus.join",
                               config.bus_address));
    if (const auto page = Address::parse(config.web_listen); !config.web_listen.empty() && !page)
        contradict("web.listen", fmt::format("web.listen `{}` is not an address, such as 127.0.0.1:9681",
                                             config.web_listen));
    else if (page && !page->is_loopback() && config.web_token.empty())
        contradict("web.listen", "for other machines there has to be a web.token");
}

/// Checks the keys of [body] that belong to some kinds only.
void check_body(const RobotConfig& config, const Contradict& contradict) {
    if (config.body == "driver" && (config.body_command.empty() || config.body_command.front().empty()))
        contradict("body.kind", "body.kind \"driver\" needs body.command, the program of the driver");
    if (config.body != "driver" && !config.body_command.empty())
        contradict("body.command", "body.command needs body.kind \"driver\"");
    if (config.body != "driver" && !config.body_device.empty())
        contradict("body.device", "body.device needs body.kind \"driver\"");
    if (config.body != "linux" && config.body_unguarded)
        contradict("body.unguarded",
                   "body.unguarded needs body.kind \"linux\": a driver always has a guard, and other bodies "
                   "need none");
    const bool has_guard = config.body == "driver" || config.body == "linux";
    for (const auto& [key, path] : {std::pair("body.watchdog", &config.body_watchdog),
                                    std::pair("body.heartbeat", &config.body_heartbeat)})
        if (!has_guard && !path->empty())
            contradict(key, fmt::format("{} needs body.kind \"driver\" or \"linux\"", key));
}

/// Checks that the frames of ROS 2 have different names without blanks and a leading `/`.
void check_frames(const RobotConfig& config, const Contradict& contradict) {
    const std::array frames{std::pair("ros.map_frame", &config.ros_map_frame),
                            std::pair("ros.odom_frame", &config.ros_odom_frame),
                            std::pair("ros.base_frame", &config.ros_base_frame),
                            std::pair("ros.laser_frame", &config.ros_laser_frame)};
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const auto& [key, name] = frames.at(i);
        if (name->empty() || name->starts_with('/') || name->size() > 128 ||
            name->find_first_of(" \t\n") != std::string::npos)
            contradict(key, fmt::format("{} `{}` is not the name of a frame; expected such as `rover/odom`",
                                        key, *name));
        for (std::size_t other = 0; other < i; ++other)
            if (*frames.at(other).second == *name)
                contradict(key, fmt::format("{} and {} are both `{}`", frames.at(other).first, key, *name));
    }
}

/// Checks names of ROS 2 and the settings of DDS.
void check_ros(const RobotConfig& config, const Contradict& contradict) {
    check_frames(config, contradict);
    for (const auto& [section, dds] : {std::pair("ros", &config.ros_dds), {"topics", &config.topics.dds}})
        if (const auto good = check_settings(*dds); !good)
            contradict(fmt::format("{}.{}", section, dds->peers.empty() ? "interface" : "peers"),
                       fmt::format("[{}] {}", section, good.error().message));
    if (!is_ros_word(config.ros_node))
        contradict("ros.node", fmt::format("ros.node `{}` is not a name of a ROS 2 node; expected letters, "
                                           "digits and `_`, not first a digit, and no `__`",
                                           config.ros_node));
    if (!is_ros_namespace(config.ros_namespace))
        contradict("ros.namespace",
                   fmt::format("ros.namespace `{}` is not a namespace of ROS 2; expected `/` or such as "
                               "`/fleet/rover`",
                               config.ros_namespace));
}

/// Checks names that become those of files and programs.
void check_names(const RobotConfig& config, const Contradict& contradict) {
    if (const auto good = check_path_name(config.name); !good)
        contradict("name", "name: " + good.error().message);
    if (const auto good = check_path_name(config.link_station); !good)
        contradict("link.station", "link.station: " + good.error().message);
    if (!config.camera_command.empty() && config.camera_command.front().empty())
        contradict("camera.command",
                   "camera.command has an empty name; expected a program and its arguments");
    if (std::ranges::find(config.ai_programs, "") != config.ai_programs.end())
        contradict("ai.programs", "ai.programs has an empty name; expected programs");
}

/// Checks which map is loaded at the start, and where the robot then is.
void check_map(const RobotConfig& config, const Contradict& contradict) {
    if (const auto good = check_path_name(config.map_load); !config.map_load.empty() && !good)
        contradict("map.load", "map.load: " + good.error().message);
    if (config.map_start.empty()) return;
    if (const auto pose = pose_from(config.map_start); !pose)
        contradict("map.start", "map.start: " + pose.error().message);
    if (config.map_load.empty()) contradict("map.start", "map.start needs map.load, the name of the map");
}

}  // namespace

std::vector<Contradiction> contradictions(const RobotConfig& config) {
    std::vector<Contradiction> found;
    const Contradict contradict = [&](std::string_view key, std::string text) {
        found.push_back({std::string(key), std::move(text)});
    };
    check_modes(config, contradict);
    check_addresses(config, contradict);
    check_body(config, contradict);
    check_ros(config, contradict);
    check_names(config, contradict);
    check_map(config, contradict);
    if (!config.ai_bus_facts.empty() && !config.bus_join && !config.bus_host)
        contradict("ai.bus_facts", "ai.bus_facts needs a bus: bus.join or bus.host");
    return found;
}

}  // namespace caribou::robot
