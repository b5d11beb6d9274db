#include "robot/config_schema.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

namespace caribou::robot {
namespace {

using C = RobotConfig;
using config::Place;
using config::Setting;
using Row = config::Row<C>;

template <class Member>
std::function<Place(C&)> at(Member C::* member) {
    return [member](C& config) -> Place { return &(config.*member); };
}

/// A flag, a text or a list.
template <class Member>
Row plain(std::string_view section, std::string_view name, Member C::* member, Setting setting,
          std::string_view what) {
    return {{.section = std::string(section),
             .name = std::string(name),
             .what = std::string(what),
             .setting = setting},
            at(member)};
}
template <class Member>
Row number(std::string_view section, std::string_view name, Member C::* member, double low, double high,
           std::string_view unit, Setting setting, std::string_view what) {
    return {{.section = std::string(section),
             .name = std::string(name),
             .low = low,
             .high = high,
             .unit = std::string(unit),
             .what = std::string(what),
             .setting = setting},
            at(member)};
}
template <class Member>
Row choice(std::string_view section, std::string_view name, Member C::* member,
           std::vector<std::string> words, Setting setting, std::string_view what) {
    return {{.section = std::string(section),
             .name = std::string(name),
             .words = std::move(words),
             .what = std::string(what),
             .setting = setting},
            at(member)};
}

std::vector<Row> robot_rows() {
    using enum Setting;
    constexpr double port = 65'535;
    return {
        plain("", "name", &C::name, fixed, "name of the robot"),
        number("", "DefaultRunMode", &C::default_run_mode, 0, 3, "", after_reboot,
               "the run mode after the start; 0 ends at once, 1 needs wait_time"),
        number("", "DefaultComMode", &C::default_com_mode, 0, 3, "", fixed,
               "0 no link, 1 sends only, 2 receives only, 3 both; RM3 needs 3"),
        number("", "SendPort", &C::send_port, 1, port, "", after_reboot,
               "UDP port of the station, for connectToMe and for telemetry without a session"),
        number("", "ReceivePort", &C::receive_port, 0, port, "", fixed,
               "TCP port on which the station is listened for; 0 takes any free one"),
        plain("", "ServerIP", &C::server_ip, fixed, "address of the station"),
        plain("", "log", &C::log, fixed, "file for the log; empty: standard error"),
        choice("", "log_level", &C::log_level, {"debug", "info", "warning", "error"}, after_reboot,
               "lowest level that is logged"),
        number("", "wait_time", &C::wait_time, 0, 604'800, "s", after_reboot,
               "how long a start in RM1 waits"),
        number("", "wake_mode", &C::wake_mode, 2, 3, "", after_reboot, "where such a start goes then"),
        plain("", "allow_blind_server_mode", &C::allow_blind_server_mode, fixed,
              "let a station steer that gets no telemetry (RM3 with CM2)"),
        number("", "handshake_limit", &C::handshake_limit, 0.1, 60, "s", after_reboot,
               "how long the start waits for a station before RM3 becomes RM1(WaitingToReceive)"),
        number("", "connect_to_me", &C::connect_to_me, 0.1, 3600, "s", after_reboot,
               "between two calls for the station while there is none"),
        number("", "max_reboots", &C::max_reboots, 0, 100, "", fixed, "RM5 within ten minutes"),
    };
}

std::vector<Row> link_rows() {
    using enum Setting;
    return {
        plain("link", "plain", &C::link_plain, fixed,
              "accept every peer, without keys and encryption; for a station on this machine only"),
        plain("link", "keys", &C::link_keys, fixed,
              "folder of the keys; empty: $CARIBOU_KEYS, or ~/.config/caribou/keys"),
        plain("link", "station", &C::link_station, fixed,
              "name of the station's key, as in `caribou pair add`"),
        plain("link", "record", &C::link_record, fixed,
              "file that remembers starts and the station; empty: ~/.local/state/caribou/NAME.link"),
    };
}

std::vector<Row> safety_rows() {
    using enum Setting;
    return {
        number("safety", "link_lost", &C::link_lost, 0.5, 30, "s", fixed,
               "silence of the station after which RM3 is left; below 1.5 it counts as 1.5, because a "
               "station sends a heartbeat every second"),
    };
}

std::vector<Row> battery_rows() {
    using enum Setting;
    return {
        number("battery", "full_level", &C::full_level, 0.5, 1, "", fixed, "level of a full battery"),
        number("battery", "full_current", &C::full_current, 0, 10, "A", fixed,
               "that a full battery takes at most"),
        number("battery", "full_hold", &C::full_hold, 0, 600, "s", fixed, "for how long it must look full"),
    };
}

std::vector<Row> body_rows() {
    using enum Setting;
    return {
        choice("body", "kind", &C::body, {"sim", "linux", "driver", "null"}, fixed,
               "a simulated room, pins of a Linux board, a driver process, or nothing at all"),
        plain("body", "command", &C::body_command, names_program,
              "program and arguments of the driver, for `kind = \"driver\"`"),
        plain("body", "file", &C::body_file, fixed,
              "the room of a simulated body, empty: a built-in one; the wiring of a linux one"),
        number("body", "seed", &C::body_seed, 0, 2e9, "", fixed, "of everything random in a simulated room"),
        plain("body", "trace", &C::body_trace, fixed,
              "file or pipe for each change of what the wheels are ordered to do; for measurements"),
        plain("body", "device", &C::body_device, fixed,
              "the driver's device, opened by the guard, which writes the driver's stop frame to it"),
        plain("body", "unguarded", &C::body_unguarded, fixed,
              "drive a real body that cannot be stopped from outside the robot's process (docs/safety.md)"),
        plain("body", "watchdog", &C::body_watchdog, fixed,
              "a watchdog device such as /dev/watchdog, written by the guard at each feed"),
        plain("body", "heartbeat", &C::body_heartbeat, fixed,
              "the port of a motor board, to which the guard writes `heartbeat` at each feed and `stop` at a "
              "cut"),
    };
}

std::vector<Row> camera_rows() {
    using enum Setting;
    return {
        plain("camera", "command", &C::camera_command, names_program,
              "program and arguments of the camera, which writes MJPEG to standard output; empty: the view "
              "of a simulated room, or no camera"),
    };
}

std::vector<Row> bus_rows() {
    using enum Setting;
    return {
        plain("bus", "join", &C::bus_join, fixed, "be an app on a bus"),
        plain("bus", "address", &C::bus_address, fixed, "of the broker; where to listen with host"),
        plain("bus", "host", &C::bus_host, fixed, "be the broker, too"),
        plain("bus", "drive", &C::bus_drive, fixed,
              "take commands from the bus, under lease and dead-man like any driver"),
        plain("bus", "prefix", &C::bus_prefix, fixed, "of the robot's variables"),
    };
}

std::vector<Row> ros_rows() {
    using enum Setting;
    return {
        plain("ros", "enabled", &C::ros_enabled, fixed, "be a node of ROS 2"),
        plain("ros", "node", &C::ros_node, fixed, "as `ros2 node list` shows it"),
        plain("ros", "namespace", &C::ros_namespace, fixed, "of the node and its topics"),
        choice("ros", "layout", &C::ros_layout, {"auto", "humble", "jazzy"}, fixed,
               "the version of ROS 2 whose form the node uses to announce itself; auto: that of the other "
               "nodes, "
               "Humble while there is none"),
        plain("ros", "cmd_vel", &C::ros_cmd_vel, fixed,
              "take twists from ROS 2, under lease and dead-man like any driver"),
        choice("ros", "cmd_vel_type", &C::ros_cmd_vel_type, {"Twist", "TwistStamped"}, fixed,
               "type of `cmd_vel`; its stamp is not used"),
        number("ros", "odom_rate", &C::ros_odom_rate, 1, 100, "Hz", fixed,
               "how often `odom` and `joint_states` are published, and `tf` in addition to each round of "
               "telemetry"),
        number("ros", "wheel_radius", &C::ros_wheel_radius, 0, 1, "m", fixed,
               "of the wheels, for `joint_states`; 0: they are not published"),
        number("ros", "range_min", &C::ros_range_min, 0, 5, "m", fixed,
               "shortest distance that the lidar measures"),
        plain("ros", "drive", &C::ros_drive, fixed,
              "take goals, run modes, the way to the dock and the release of a stop from ROS 2"),
        plain("ros", "map", &C::ros_map, fixed, "publish `map`"),
        plain("ros", "map_to_odom", &C::ros_map_to_odom, fixed,
              "publish this transform; false: another node does, and the robot navigates in its map"),
        plain("ros", "odom_to_base", &C::ros_odom_to_base, fixed,
              "publish this transform; false: another node does, such as robot_localization"),
        plain("ros", "clock", &C::ros_clock, fixed, "publish `/clock`, for nodes with `use_sim_time`"),
        plain("ros", "map_frame", &C::ros_map_frame, fixed, "name of the frame"),
        plain("ros", "odom_frame", &C::ros_odom_frame, fixed, "name of the frame"),
        plain("ros", "base_frame", &C::ros_base_frame, fixed, "name of the frame of the robot"),
        plain("ros", "laser_frame", &C::ros_laser_frame, fixed, "name of the frame of the lidar"),
    };
}

std::vector<Row> web_rows() {
    using enum Setting;
    return {
        plain("web", "listen", &C::web_listen, fixed,
              "where it serves a page about itself, such as 127.0.0.1:9681; empty: nowhere"),
        plain("web", "token", &C::web_token, fixed,
              "token for everything; other machines always need it, and may only observe and stop"),
        plain("web", "hosts", &C::web_hosts, fixed, "names by which browsers may ask for it"),
    };
}

std::vector<Row> topics_rows() {
    return {
        {{.section = "topics",
          .name = "transport",
          .words = negotiation::topic_transports(),
          .what = "over what its views go, besides the station's session: the bus of bus.address, or DDS"},
         [](C& config) -> Place { return &config.topics.transport; }},
        plain("topics", "camera", &C::topics_camera, Setting::fixed,
              "the camera is among them: everyone on the bus or in the domain of DDS can see it"),
    };
}

std::vector<Row> cubes_rows() {
    using enum Setting;
    return {
        choice("cubes", "radio", &C::cubes_radio, {"simulated", "bluez", "none"}, fixed,
               "by which cubes are reached"),
        plain("cubes", "preference", &C::cubes_preference, fixed,
              "file that remembers the preferred cube; empty: none is remembered"),
    };
}

std::vector<Row> ai_rows() {
    using enum Setting;
    return {
        plain("ai", "tree", &C::ai_tree, after_reboot,
              "files of the behavior tree for RM2, which are read as one; empty: the built-in one"),
        plain("ai", "programs", &C::ai_programs, names_program,
              "programs with behaviors, actions and conditions of their own, such as `my_behaviors.py`; see "
              "docs/python.md"),
        number("ai", "rate", &C::ai_rate, 1, 100, "Hz", fixed, "ticks of the behaviors"),
        number("ai", "telemetry_limit", &C::ai_telemetry_limit, 0.1, 5, "s", fixed,
               "age of telemetry beyond which the AI halts"),
        number("ai", "seed", &C::ai_seed, 0, 2e9, "", after_reboot, "of everything random in behaviors"),
        plain("ai", "bus_facts", &C::ai_bus_facts, after_reboot,
              "variables of the bus that conditions look at, as bus:NAME and bus_age:NAME (s)"),
    };
}

std::vector<Row> map_rows() {
    using enum Setting;
    return {
        plain("map", "load", &C::map_load, after_reboot,
              "name of the stored map that is loaded at the start; empty: a new map"),
        plain("map", "start", &C::map_start, after_reboot,
              "where the robot then is, as X,Y,DEGREES; empty: on its dock"),
    };
}

std::vector<Row> telemetry_rows() {
    using enum Setting;
    return {
        number("telemetry", "rate", &C::telemetry_rate, 0.1, 100, "Hz", at_once, "rounds of telemetry"),
        plain("telemetry", "sensors_off", &C::sensors_off, after_reboot, "names of sensors to leave out"),
    };
}

std::vector<Row> own_rows() {
    std::vector<Row> all;
    for (const auto& part :
         {robot_rows, link_rows, safety_rows, battery_rows, body_rows, camera_rows, bus_rows, ros_rows,
          web_rows, topics_rows, cubes_rows, ai_rows, map_rows, telemetry_rows})
        std::ranges::move(part(), std::back_inserter(all));
    return all;
}

/// The DDS keys of a section: the same in all sections that have them.
std::vector<Row> dds_rows(std::string_view section, negotiation::DdsSettings& (*dds)(C&)) {
    using Dds = negotiation::DdsSettings;
    const auto row = [&](std::string_view name, auto member, std::string_view what, double low = 0,
                         double high = 0) {
        return Row{{.section = std::string(section),
                    .name = std::string(name),
                    .low = low,
                    .high = high,
                    .what = std::string(what)},
                   [dds, member](C& config) -> Place { return &(dds(config).*member); }};
    };
    return {
        row("domain", &Dds::domain, "of DDS; -1: `ROS_DOMAIN_ID`, or else 0", -1, Dds::max_domain),
        row("insecure_lan", &Dds::insecure_lan,
            "exchange messages with other machines, too; all machines on the network can read and write"),
        row("interface", &Dds::interface, "the network interface for that; empty: DDS chooses"),
        row("peers", &Dds::peers, "machines to look for where there is no multicast"),
    };
}

/// The motion settings for driving; the others are safety settings.
constexpr std::array driving{"period",
                             "level_1",
                             "level_2",
                             "level_3",
                             "acceleration",
                             "deceleration",
                             "stop_deceleration",
                             "full_stop_deceleration",
                             "halt_dwell",
                             "strict_transitions",
                             "turn_speed",
                             "jerk",
                             "closed_loop",
                             "wheel_p",
                             "wheel_i",
                             "wheel_d",
                             "wheel_gain_right",
                             "wheel_gain_left",
                             "wheel_start_right",
                             "wheel_start_left"};

Row row_of(const motion::MotionSetting& setting) {
    constexpr std::string_view battery = "battery_";
    config::Key key{.section = "safety",
                    .name = std::string(setting.name),
                    .low = setting.low,
                    .high = setting.high,
                    .unit = std::string(setting.unit),
                    .what = std::string(setting.meaning)};
    if (std::ranges::count(driving, setting.name) > 0) key.section = "motion";
    if (setting.name.starts_with(battery)) {
        key.section = "battery";
        key.name = setting.name.substr(battery.size());
    }
    return {std::move(key), [member = setting.member](RobotConfig& config) {
                return std::visit([&](auto place) -> Place { return &(config.motion.*place); }, member);
            }};
}

config::Schema<C> make_schema() {
    using Dds = negotiation::DdsSettings;
    std::vector<Row> rows = own_rows();
    std::ranges::move(dds_rows("ros", [](C& c) -> Dds& { return c.ros_dds; }), std::back_inserter(rows));
    std::ranges::move(dds_rows("topics", [](C& c) -> Dds& { return c.topics.dds; }),
                      std::back_inserter(rows));
    std::ranges::transform(motion::motion_setting_table(), std::back_inserter(rows), row_of);
    // Keys without a section are first, because TOML requires it; then the sections.
    constexpr std::array order{"",    "link", "motion", "safety", "battery", "body", "camera",
                               "bus", "ros",  "topics", "web",    "cubes",   "ai",   "telemetry"};
    std::ranges::stable_sort(rows, {},
                             [&](const Row& row) { return std::ranges::find(order, row.key.section); });
    return config::Schema<C>(std::move(rows));
}

}  // namespace

const config::Schema<C>& config_schema() {
    static const config::Schema<C> schema = make_schema();
    return schema;
}

}  // namespace caribou::robot
