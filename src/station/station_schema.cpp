#include "station/station_schema.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "config/text.hpp"

namespace caribou::station {
namespace {

using Draft = StationDraft;
using config::Place;
using Row = config::Row<Draft>;

config::Word role(link::Role& into) {
    return {.expected = "`observe`, `drive` or `admin`",
            .set =
                [&into](const std::string& text) {
                    const auto role = link::role_from(text);
                    if (role) into = *role;
                    return role.has_value();
                },
            .text = [&into] { return std::string(to_string(into)); }};
}

/// A flag, a text, an address or a list.
Row plain(std::string_view section, std::string_view name, Place (*place)(Draft&), std::string_view what) {
    return {{.section = std::string(section), .name = std::string(name), .what = std::string(what)}, place};
}
Row number(std::string_view section, std::string_view name, double low, double high, std::string_view unit,
           Place (*place)(Draft&), std::string_view what) {
    return {{.section = std::string(section),
             .name = std::string(name),
             .low = low,
             .high = high,
             .unit = std::string(unit),
             .what = std::string(what)},
            place};
}

std::vector<Row> top_rows() {
    return {
        plain(
            "", "name", [](Draft& d) -> Place { return &d.config.fleet.session.station; },
            "its name for robots and programs"),
        plain(
            "", "listen", [](Draft& d) -> Place { return &d.config.listen; },
            "address that robots call (UDP); their `ServerIP` and `SendPort`"),
        plain(
            "", "send_to", [](Draft& d) -> Place { return &d.config.fleet.session.send_to; },
            "address for telemetry, if robots reach the station under another address than `listen`"),
        plain(
            "", "robots", [](Draft& d) -> Place { return &d.robots; }, "robots known before they call"),
        plain(
            "", "only_known", [](Draft& d) -> Place { return &d.config.fleet.only_known; },
            "refuses all robots that are neither in `robots` nor in a group"),
        number(
            "", "max_robots", 1, 100'000, "", [](Draft& d) -> Place { return &d.config.fleet.max_robots; },
            "further robots are refused"),
    };
}

std::vector<Row> link_rows() {
    return {
        plain(
            "link", "plain", [](Draft& d) -> Place { return &d.config.plain; },
            "accepts robots without keys; on this machine only; `--plain`"),
        plain(
            "link", "keys", [](Draft& d) -> Place { return &d.config.keys; },
            "folder of the robots' keys; empty: `$CARIBOU_KEYS`, else `~/.config/caribou/keys`; `--keys`"),
        plain(
            "link", "role", [](Draft& d) -> Place { return role(d.config.fleet.session.role); },
            "role that the station requests from robots, which grant at most that of its key"),
        number(
            "link", "shake_limit", 0.5, 60, "s",
            [](Draft& d) -> Place { return &d.config.fleet.session.shake_limit; }, "until the welcome"),
        number(
            "link", "heartbeat", 0.1, 10, "s",
            [](Draft& d) -> Place { return &d.config.fleet.session.heartbeat; }, "period of heartbeats"),
        number(
            "link", "link_limit", 0.5, 60, "s",
            [](Draft& d) -> Place { return &d.config.fleet.session.link_limit; },
            "silence until the link is lost"),
        number(
            "link", "stale_after", 0.1, 60, "s",
            [](Draft& d) -> Place { return &d.config.fleet.session.stale_after; },
            "age of telemetry from which it is stale"),
        number(
            "link", "lease_limit", 1, 3600, "s",
            [](Draft& d) -> Place { return &d.config.fleet.session.lease_limit; },
            "inactivity until a lease ends"),
        number(
            "link", "answer_limit", 0.5, 60, "s",
            [](Draft& d) -> Place { return &d.config.fleet.session.pending.answer; },
            "until the first answer to a command"),
        number(
            "link", "work_limit", 1, 3600, "s",
            [](Draft& d) -> Place { return &d.config.fleet.session.pending.work; },
            "from `ACCEPTED` to the end of a command"),
        number(
            "link", "stop_limit", 0.1, 60, "s", [](Draft& d) -> Place { return &d.config.fleet.stop_limit; },
            "to wait at the end until robots report that they have stopped"),
    };
}

std::vector<Row> autopilot_rows() {
    return {
        number(
            "autopilot", "battery_low", 0, 1, "",
            [](Draft& d) -> Place { return &d.config.pilot.battery_low; },
            "below this level the robot is sent to its dock; 0: never"),
        number(
            "autopilot", "level", 1, 3, "", [](Draft& d) -> Place { return &d.config.pilot.way.level; },
            "the highest speed on a route"),
        number(
            "autopilot", "radius", 0.05, 5, "m", [](Draft& d) -> Place { return &d.config.pilot.way.radius; },
            "that the robot's center keeps from obstacles: hull, stop zone, half a cell of the map"),
        number(
            "autopilot", "patience", 0.5, 600, "s",
            [](Draft& d) -> Place { return &d.config.pilot.way.patience; },
            "until a point without a way is given up"),
        number(
            "autopilot", "progress_limit", 1, 600, "s",
            [](Draft& d) -> Place { return &d.config.pilot.way.progress_limit; },
            "without coming any nearer"),
        number(
            "autopilot", "refused_limit", 0.5, 600, "s",
            [](Draft& d) -> Place { return &d.config.pilot.refused_limit; }, "of nothing but refusals"),
    };
}

std::vector<Row> record_rows() {
    return {
        plain(
            "record", "folder", [](Draft& d) -> Place { return &d.config.record.folder; },
            "where recordings go; empty: nowhere; `--record`"),
        plain(
            "record", "at_start", [](Draft& d) -> Place { return &d.config.record.at_start; },
            "records from the start on; `false`: only when a program asks for it"),
        number(
            "record", "file_mib", 1, 4096, "MiB", [](Draft& d) -> Place { return &d.config.record.file_mib; },
            "a recording that is larger is followed by a new one"),
        number(
            "record", "limit_mib", 8, 1'000'000, "MiB",
            [](Draft& d) -> Place { return &d.config.record.limit_mib; },
            "all recordings together; the oldest are deleted"),
        number(
            "record", "camera_days", 0.1, 3650, "days",
            [](Draft& d) -> Place { return &d.config.record.camera_days; },
            "age at which recordings with images of cameras are deleted "
            "([camera.md](camera.md#who-sees-it))"),
        plain(
            "record", "views", [](Draft& d) -> Place { return &d.views; },
            "data recorded of every robot besides status, motion and route, watched or not: `scan` (the "
            "whole one; otherwise the few ranges of telemetry), `map`, `plan`, `camera` ([only with "
            "care](camera.md#who-sees-it)), `behaviors`, `cubes`, `bus`, `topics`, `health`"),
    };
}

std::vector<Row> topics_rows() {
    return {
        {{.section = "topics",
          .name = "transport",
          .words = negotiation::topic_transports(),
          .what = "where [views](station.md#views-over-other-ways) are read"},
         [](Draft& d) -> Place { return &d.config.topics.transport; }},
        plain(
            "topics", "broker", [](Draft& d) -> Place { return &d.config.topics.broker; }, "of the bus"),
        number(
            "topics", "domain", -1, negotiation::DdsSettings::max_domain, "",
            [](Draft& d) -> Place { return &d.config.topics.dds.domain; },
            "of DDS; -1: `ROS_DOMAIN_ID`, or else 0"),
        plain(
            "topics", "insecure_lan", [](Draft& d) -> Place { return &d.config.topics.dds.insecure_lan; },
            "DDS also with other machines, all of which can read and write"),
        plain(
            "topics", "interface", [](Draft& d) -> Place { return &d.config.topics.dds.interface; },
            "its network interface; empty: chosen by DDS"),
        plain(
            "topics", "peers", [](Draft& d) -> Place { return &d.config.topics.dds.peers; },
            "machines to contact where there is no multicast"),
    };
}

std::vector<Row> web_rows() {
    return {
        plain(
            "web", "listen", [](Draft& d) -> Place { return &d.config.web_listen; },
            "address of the HTTP interface"),
        plain(
            "web", "role", [](Draft& d) -> Place { return role(d.config.api.access.local_role); },
            "of programs on this machine that show no token, of whatever account"),
        plain(
            "web", "hosts", [](Draft& d) -> Place { return &d.config.api.hosts; },
            "host names accepted from browsers, besides localhost"),
        number(
            "web", "max_watchers", 1, 1000, "", [](Draft& d) -> Place { return &d.config.api.max_watchers; },
            "maximum number of clients"),
        plain(
            "web", "observe_token", [](Draft& d) -> Place { return &d.observe_token; },
            "a token for observing and stopping, needed from other machines"),
        plain(
            "web", "drive_token", [](Draft& d) -> Place { return &d.drive_token; },
            "a token for driving, too, on this machine"),
        plain(
            "web", "admin_token", [](Draft& d) -> Place { return &d.admin_token; },
            "a token for everything, as the station's own one"),
    };
}

constexpr std::string_view page_top = R"(# The configuration of a station

A TOML file, read by `caribou station --config FILE`. Every key has a default; an unknown key, a wrong type and a value out of
range are errors, all reported at once with their positions. `caribou station --check-config` only checks;
`--print-config` shows every value with its origin.

Two tables have keys of your choice: `[groups]` has lists of robots by the name of the group, `[dial]` has the addresses of
robots that cannot call, by their name ([station.md](station.md#configuration)).

This page is generated from the schema (`src/station/station_schema.cpp`).
)";

}  // namespace

const config::Schema<Draft>& station_schema() {
    static const config::Schema<Draft> schema = [] {
        std::vector<Row> all;
        for (const auto& part : {top_rows, link_rows, autopilot_rows, record_rows, topics_rows, web_rows})
            std::ranges::move(part(), std::back_inserter(all));
        return config::Schema<Draft>(std::move(all));
    }();
    return schema;
}

std::string station_config_page() {
    Draft defaults;
    return std::string(page_top) +
           config::page_text(station_schema().keys(), station_schema().places(defaults), false);
}

}  // namespace caribou::station
