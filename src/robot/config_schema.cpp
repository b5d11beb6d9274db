#include "robot/config_schema.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "base/suggestion.hpp"

namespace caribou::robot {
namespace {

using C = RobotConfig;

template <class Member>
std::function<ConfigPlace(C&)> at(Member C::* member) {
    return [member](C& config) -> ConfigPlace { return &(config.*member); };
}

enum class Setting : std::uint8_t { fixed, names_program, after_reboot, at_once };

/// A row without its default, which is that of RobotConfig.
struct Row {
    std::string_view section;
    std::string_view name;
    std::function<ConfigPlace(C&)> place;
    double low;
    double high;
    std::string_view unit;
    std::vector<std::string> words;
    Setting setting;
    std::string_view what;
};

std::vector<Row> own_rows() {
    using enum Setting;
    constexpr double port = 65'535;
    return {
        {"", "name", at(&C::name), 0, 0, "", {}, fixed, "what the robot calls itself"},
        {"",
         "DefaultRunMode",
         at(&C::default_run_mode),
         0,
         3,
         "",
         {},
         after_reboot,
         "the run mode after the start; 0 ends at once, 1 needs wait_time"},
        {"",
         "DefaultComMode",
         at(&C::default_com_mode),
         0,
         3,
         "",
         {},
         fixed,
         "0 no link, 1 sends only, 2 receives only, 3 both; RM3 needs 3"},
        {"",
         "SendPort",
         at(&C::send_port),
         1,
         port,
         "",
         {},
         after_reboot,
         "UDP port of the station, for connectToMe and for telemetry without a session"},
        {"",
         "ReceivePort",
         at(&C::receive_port),
         0,
         port,
         "",
         {},
         fixed,
         "TCP port on which the station is listened for; 0 takes any free one"},
        {"", "ServerIP", at(&C::server_ip), 0, 0, "", {}, fixed, "address of the station"},
        {"", "log", at(&C::log), 0, 0, "", {}, fixed, "file for the log; empty: standard error"},
        {"",
         "log_level",
         at(&C::log_level),
         0,
         0,
         "",
         {"debug", "info", "warning", "error"},
         after_reboot,
         "what is logged at least"},
        {"",
         "wait_time",
         at(&C::wait_time),
         0,
         604'800,
         "s",
         {},
         after_reboot,
         "how long a start in RM1 waits"},
        {"", "wake_mode", at(&C::wake_mode), 2, 3, "", {}, after_reboot, "where such a start goes then"},
        {"",
         "allow_blind_server_mode",
         at(&C::allow_blind_server_mode),
         0,
         0,
         "",
         {},
         fixed,
         "let a station steer that gets no telemetry (RM3 with CM2)"},
        {"",
         "handshake_limit",
         at(&C::handshake_limit),
         0.1,
         60,
         "s",
         {},
         after_reboot,
         "how long the start waits for a station before RM3 becomes RM1(WaitingToReceive)"},
        {"",
         "connect_to_me",
         at(&C::connect_to_me),
         0.1,
         3600,
         "s",
         {},
         after_reboot,
         "between two calls for the station while there is none"},
        {"", "max_reboots", at(&C::max_reboots), 0, 100, "", {}, fixed, "RM5 within ten minutes"},
        {"link",
         "plain",
         at(&C::link_plain),
         0,
         0,
         "",
         {},
         fixed,
         "believe everybody, without keys and in the open; for a station on this machine only"},
        {"link",
         "keys",
         at(&C::link_keys),
         0,
         0,
         "",
         {},
         fixed,
         "folder of the keys; empty: $CARIBOU_KEYS, or ~/.config/caribou/keys"},
        {"link",
         "station",
         at(&C::link_station),
         0,
         0,
         "",
         {},
         fixed,
         "name of the station's key, as in `caribou pair add`"},
        {"link",
         "record",
         at(&C::link_record),
         0,
         0,
         "",
         {},
         fixed,
         "file that remembers starts and the station; empty: ~/.local/state/caribou/NAME.link"},
        {"safety",
         "link_lost",
         at(&C::link_lost),
         0.5,
         30,
         "s",
         {},
         fixed,
         "silence of the station after which RM3 is left; below 1.5 it counts as 1.5, because a station "
         "sends a heartbeat every second"},
        {"battery", "full_level", at(&C::full_level), 0.5, 1, "", {}, fixed, "level of a full battery"},
        {"battery",
         "full_current",
         at(&C::full_current),
         0,
         10,
         "A",
         {},
         fixed,
         "that a full battery takes at most"},
        {"battery", "full_hold", at(&C::full_hold), 0, 600, "s", {}, fixed, "for how long it must look full"},
        {"body",
         "kind",
         at(&C::body),
         0,
         0,
         "",
         {"sim", "linux", "driver", "null"},
         fixed,
         "a simulated room, pins of a Linux board, a driver process, or nothing at all"},
        {"body",
         "command",
         at(&C::body_command),
         0,
         0,
         "",
         {},
         names_program,
         "program and arguments of the driver, for `kind = \"driver\"`"},
        {"body",
         "file",
         at(&C::body_file),
         0,
         0,
         "",
         {},
         fixed,
         "the room of a simulated body, empty: a built-in one; the wiring of a linux one"},
        {"body",
         "seed",
         at(&C::body_seed),
         0,
         2e9,
         "",
         {},
         fixed,
         "of everything random in a simulated room"},
        {"body",
         "trace",
         at(&C::body_trace),
         0,
         0,
         "",
         {},
         fixed,
         "file or pipe for each change of what the wheels are ordered to do; for measurements"},
        {"body",
         "device",
         at(&C::body_device),
         0,
         0,
         "",
         {},
         fixed,
         "the driver's device, opened by the guard, which writes the driver's stop frame to it"},
        {"body",
         "unguarded",
         at(&C::body_unguarded),
         0,
         0,
         "",
         {},
         fixed,
         "drive a real body that cannot be stopped from outside the robot's process (docs/safety.md)"},
        {"body",
         "watchdog",
         at(&C::body_watchdog),
         0,
         0,
         "",
         {},
         fixed,
         "a watchdog device such as /dev/watchdog, written by the guard at each feed"},
        {"body",
         "heartbeat",
         at(&C::body_heartbeat),
         0,
         0,
         "",
         {},
         fixed,
         "the port of a motor board, to which the guard writes `heartbeat` at each feed and `stop` at a cut"},
        {"bus", "join", at(&C::bus_join), 0, 0, "", {}, fixed, "be an app on a bus"},
        {"bus",
         "address",
         at(&C::bus_address),
         0,
         0,
         "",
         {},
         fixed,
         "of the broker; where to listen with host"},
        {"bus", "host", at(&C::bus_host), 0, 0, "", {}, fixed, "be the broker, too"},
        {"bus",
         "drive",
         at(&C::bus_drive),
         0,
         0,
         "",
         {},
         fixed,
         "take commands from the bus, under lease and dead-man like any driver"},
        {"bus", "prefix", at(&C::bus_prefix), 0, 0, "", {}, fixed, "of the robot's variables"},
        {"ros", "enabled", at(&C::ros_enabled), 0, 0, "", {}, fixed, "be a node of ROS 2"},
        {"ros", "node", at(&C::ros_node), 0, 0, "", {}, fixed, "as `ros2 node list` shows it"},
        {"ros", "namespace", at(&C::ros_namespace), 0, 0, "", {}, fixed, "of the node and its topics"},
        {"ros",
         "layout",
         at(&C::ros_layout),
         0,
         0,
         "",
         {"humble", "jazzy"},
         fixed,
         "how nodes tell of themselves: it differs between versions of ROS 2"},
        {"ros",
         "cmd_vel",
         at(&C::ros_cmd_vel),
         0,
         0,
         "",
         {},
         fixed,
         "take twists from ROS 2, under lease and dead-man like any driver"},
        {"web",
         "listen",
         at(&C::web_listen),
         0,
         0,
         "",
         {},
         fixed,
         "where it serves a page about itself, such as 127.0.0.1:9681; empty: nowhere"},
        {"web",
         "token",
         at(&C::web_token),
         0,
         0,
         "",
         {},
         fixed,
         "token for everything; other machines always need it, and may only observe and stop"},
        {"web", "hosts", at(&C::web_hosts), 0, 0, "", {}, fixed, "names by which browsers may ask for it"},
        {"topics", "transport", [](C& config) -> ConfigPlace { return &config.topics.transport; }, 0, 0, "",
         negotiation::topic_transports(), fixed,
         "over what its views go, besides the station's session: the bus of bus.address, or DDS"},
        {"cubes",
         "radio",
         at(&C::cubes_radio),
         0,
         0,
         "",
         {"simulated", "bluez", "none"},
         fixed,
         "by which cubes are reached"},
        {"cubes",
         "preference",
         at(&C::cubes_preference),
         0,
         0,
         "",
         {},
         fixed,
         "file that remembers the preferred cube; empty: none is remembered"},
        {"ai",
         "tree",
         at(&C::ai_tree),
         0,
         0,
         "",
         {},
         after_reboot,
         "file of the behavior tree for RM2; empty: the built-in one"},
        {"ai", "rate", at(&C::ai_rate), 1, 100, "Hz", {}, fixed, "ticks of the behaviors"},
        {"ai",
         "telemetry_limit",
         at(&C::ai_telemetry_limit),
         0.1,
         5,
         "s",
         {},
         fixed,
         "age of telemetry beyond which the AI halts"},
        {"ai", "seed", at(&C::ai_seed), 0, 2e9, "", {}, after_reboot, "of everything random in behaviors"},
        {"ai",
         "bus_facts",
         at(&C::ai_bus_facts),
         0,
         0,
         "",
         {},
         after_reboot,
         "variables of the bus that conditions look at, as bus:NAME and bus_age:NAME (s)"},
        {"telemetry", "rate", at(&C::telemetry_rate), 0.1, 100, "Hz", {}, at_once, "rounds of telemetry"},
        {"telemetry",
         "sensors_off",
         at(&C::sensors_off),
         0,
         0,
         "",
         {},
         after_reboot,
         "names of sensors to leave out"},
    };
}

/// The DDS keys of a section: the same in all sections that have them.
std::vector<Row> dds_rows(std::string_view section, negotiation::DdsSettings& (*dds)(C&)) {
    using enum Setting;
    const auto place = [dds](auto member) -> std::function<ConfigPlace(C&)> {
        return [dds, member](C& config) -> ConfigPlace { return &(dds(config).*member); };
    };
    using Dds = negotiation::DdsSettings;
    return {
        {section,
         "domain",
         place(&Dds::domain),
         -1,
         Dds::max_domain,
         "",
         {},
         fixed,
         "of DDS; -1: what ROS_DOMAIN_ID says, else 0"},
        {section,
         "insecure_lan",
         place(&Dds::insecure_lan),
         0,
         0,
         "",
         {},
         fixed,
         "speak with other machines, too; whoever is on the network can read and write"},
        {section,
         "interface",
         place(&Dds::interface),
         0,
         0,
         "",
         {},
         fixed,
         "the network interface for that; empty: DDS chooses"},
        {section,
         "peers",
         place(&Dds::peers),
         0,
         0,
         "",
         {},
         fixed,
         "machines to look for where there is no multicast"},
    };
}

/// The motion settings for driving; the others are safety settings.
constexpr std::array driving{
    "period",       "level_1",           "level_2",    "level_3",           "acceleration",
    "deceleration", "stop_deceleration", "halt_dwell", "strict_transitions"};

ConfigKey key_of(const motion::MotionSetting& setting) {
    constexpr std::string_view battery = "battery_";
    ConfigKey key{.section = "safety", .name = std::string(setting.name), .place = {}};
    if (std::ranges::count(driving, setting.name) > 0) key.section = "motion";
    if (setting.name.starts_with(battery)) {
        key.section = "battery";
        key.name = setting.name.substr(battery.size());
    }
    key.place = [member = setting.member](RobotConfig& config) {
        return std::visit([&](auto place) -> ConfigPlace { return &(config.motion.*place); }, member);
    };
    key.low = setting.low;
    key.high = setting.high;
    key.unit = setting.unit;
    key.what = setting.meaning;
    return key;
}

std::vector<ConfigKey> make_schema() {
    std::vector<ConfigKey> keys;
    for (const motion::MotionSetting& setting : motion::motion_setting_table())
        keys.push_back(key_of(setting));
    using Dds = negotiation::DdsSettings;
    std::vector<ConfigKey> own;
    for (std::vector<Row> rows : {own_rows(), dds_rows("ros", [](C& c) -> Dds& { return c.ros_dds; }),
                                  dds_rows("topics", [](C& c) -> Dds& { return c.topics.dds; })})
        for (Row& row : rows)
            own.push_back({.section = std::string(row.section),
                           .name = std::string(row.name),
                           .place = std::move(row.place),
                           .low = row.low,
                           .high = row.high,
                           .unit = std::string(row.unit),
                           .words = std::move(row.words),
                           .what = std::string(row.what),
                           .settable = row.setting >= Setting::after_reboot,
                           .at_once = row.setting == Setting::at_once,
                           .names_program = row.setting == Setting::names_program});
    keys.insert(keys.begin(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
    // Keys without a section are first, because TOML requires it; then the sections.
    constexpr std::array order{"",    "link",   "motion", "safety", "battery", "body",     "bus",
                               "ros", "topics", "web",    "cubes",  "ai",      "telemetry"};
    std::ranges::stable_sort(keys, {},
                             [&](const ConfigKey& key) { return std::ranges::find(order, key.section); });
    return keys;
}

}  // namespace

const std::vector<ConfigKey>& config_schema() {
    static const std::vector<ConfigKey> schema = make_schema();
    return schema;
}

const ConfigKey* find_key(std::string_view full_name) {
    const auto& schema = config_schema();
    const auto found =
        std::ranges::find_if(schema, [&](const ConfigKey& key) { return key.full_name() == full_name; });
    return found == schema.end() ? nullptr : &*found;
}

}  // namespace caribou::robot
