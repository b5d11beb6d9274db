#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.hpp"
#include "base/result.hpp"
#include "base/text_fault.hpp"
#include "motion/motion_settings.hpp"
#include "negotiation/topic_settings.hpp"

namespace caribou::robot {

/// The configuration of a robot. docs/robot-config.md explains each key and is generated from the schema
/// (robot/config_schema.hpp).
struct RobotConfig {
    /// Returns the silence of the station after which the link is lost. At least 1.5 s, because a station
    /// sends a heartbeat once per second.
    Duration link_limit() const { return std::max(from_seconds(link_lost), shortest_link_limit); }
    static constexpr Duration shortest_link_limit = std::chrono::milliseconds(1500);

    std::string name = "cbot";
    int default_run_mode = 3;
    int default_com_mode = 3;
    int send_port = 9600;
    int receive_port = 9601;
    std::string server_ip = "127.0.0.1";
    std::string log;
    std::string log_level = "info";
    double wait_time = 0;  ///< s
    int wake_mode = 3;
    bool allow_blind_server_mode = false;
    double handshake_limit = 5;  ///< s
    double connect_to_me = 0.1;  ///< s
    int max_reboots = 5;

    bool link_plain = false;
    std::string link_keys;
    std::string link_station = "station";
    std::string link_record;

    motion::MotionSettings motion{};
    double link_lost = 3;  ///< s; see link_limit()

    double full_level = 0.95;
    double full_current = 0.2;  ///< A
    double full_hold = 10;      ///< s

    std::string body = "sim";
    std::vector<std::string> body_command{};
    std::string body_file;
    int body_seed = 1;
    std::string body_trace;
    std::string body_device;
    bool body_unguarded = false;
    std::string body_watchdog;
    std::string body_heartbeat;

    bool bus_join = false;
    std::string bus_address = "127.0.0.1:9000";
    bool bus_host = false;
    bool bus_drive = false;
    std::string bus_prefix = "CBOT_";

    bool ros_enabled = false;
    std::string ros_node = "cbot";
    std::string ros_namespace = "/";
    std::string ros_layout = "auto";
    bool ros_cmd_vel = false;
    std::string ros_cmd_vel_type = "Twist";
    double ros_odom_rate = 30;
    double ros_wheel_radius = 0;
    double ros_range_min = 0;
    bool ros_drive = false;
    bool ros_map = true;
    bool ros_map_to_odom = true;
    bool ros_odom_to_base = true;
    bool ros_clock = false;
    std::string ros_map_frame = "map";
    std::string ros_odom_frame = "odom";
    std::string ros_base_frame = "base_link";
    std::string ros_laser_frame = "laser";
    negotiation::DdsSettings ros_dds{};

    std::vector<std::string> camera_command{};

    std::string web_listen;
    std::string web_token;
    std::vector<std::string> web_hosts{};

    bool topics_camera = false;
    negotiation::TopicSettings topics{};  ///< its broker is that of bus_address

    std::string cubes_radio = "simulated";
    std::string cubes_preference;

    std::vector<std::string> ai_tree{};
    std::vector<std::string> ai_programs{};
    double ai_rate = 20;              ///< Hz
    double ai_telemetry_limit = 0.5;  ///< s
    int ai_seed = 1;
    std::vector<std::string> ai_bus_facts{};

    std::string map_load;
    std::string map_start;

    double telemetry_rate = 10;  ///< Hz
    std::vector<std::string> sensors_off{};

    /// Returns whether behaviors, which halt while telemetry is older than ai_telemetry_limit, would halt
    /// between two rounds of telemetry of this period.
    bool is_too_slow_for_rm2(Duration telemetry_period) const {
        return to_seconds(telemetry_period) > 0.8 * ai_telemetry_limit;
    }

    friend bool operator==(const RobotConfig&, const RobotConfig&) = default;
};

/// A configuration as read. A key with an error has its default.
struct ReadConfig {
    std::string path;
    RobotConfig config{};
    std::vector<std::size_t> lines{};    ///< line of each key of the schema; 0 if it was not given
    std::vector<std::size_t> columns{};  ///< column of the value of each key; 0 if it was not given
    std::vector<TextFault> faults{};     ///< all errors, in order of their position

    bool good() const { return faults.empty(); }
    /// Returns an error at the value of a key, or at the start of the file if the key was not given.
    TextFault fault_of(std::string_view full_name, std::string message) const;
    /// Returns all errors, one per line.
    std::string errors() const;
};

/// Parses the TOML of a configuration file.
ReadConfig read_config(std::string_view text, std::string path);

/// Returns the file with one value changed (command 201). Errors name the file as `path`. Fails with
/// not_found, with a suggestion, if there is no such key; with refused if it must not be set remotely; with
/// invalid_argument if the configuration would be invalid.
Result<std::string> with_parameter(std::string_view text, std::string_view name, std::string_view value,
                                   const std::string& path = "the configuration");

inline constexpr std::size_t max_config_size = 256_KiB;

}  // namespace caribou::robot
