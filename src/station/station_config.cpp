#include "station/station_config.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/json_text.hpp"
#include "base/path_name.hpp"
#include "config/reader.hpp"
#include "config/text.hpp"
#include "station/api_request.hpp"
#include "station/station_schema.hpp"

namespace caribou::station {
namespace {

using Kind = JsonNode::Kind;

class StationConfigReader {
public:
    explicit StationConfigReader(const NamedText& file)
        : places_(station_schema().places(draft_)),
          reader_(file, station_schema().keys(), places_,
                  {{"groups", [this](const JsonNode& node) { read_groups(node); }},
                   {"dial", [this](const JsonNode& node) { read_dial(node); }}}) {}
    StationConfigReader(const StationConfigReader&) = delete;
    StationConfigReader& operator=(const StationConfigReader&) = delete;

    ReadStationConfig read(const std::string& path) {
        reader_.read();
        std::string printed =
            config::file_text(station_schema().keys(), places_, reader_.lines(), path) + tables_text();
        put_together();
        return {std::move(draft_.config), reader_.take_faults(), std::move(printed)};
    }

private:
    void read_groups(const JsonNode& node) {
        if (!node.is(Kind::object))
            return reader_.fault_at(node.offset,
                                    "groups is invalid; expected a table of lists of robots by group");
        for (const JsonNode& group : node.items) {
            std::vector<std::string> members;
            const std::string expected = config::put({}, &members, group);
            if (!expected.empty())
                reader_.fault_at(group.offset,
                                 fmt::format("groups.{} is invalid; expected {}", group.key, expected));
            draft_.config.fleet.groups[group.key] = {members.begin(), members.end()};
        }
    }

    void read_dial(const JsonNode& node) {
        if (!node.is(Kind::object))
            return reader_.fault_at(node.offset, "dial is invalid; expected a table of addresses by robot");
        auto& all = draft_.config.fleet.dial;
        for (const JsonNode& robot : node.items) {
            Address address;
            const std::string expected = config::put({}, &address, robot);
            const auto same = std::ranges::find(all, address, [](const auto& each) { return each.second; });
            if (const auto good = check_path_name(robot.key); !good)
                reader_.fault_at(robot.key_offset, "dial: " + good.error().message);
            else if (!expected.empty())
                reader_.fault_at(robot.offset,
                                 fmt::format("dial.{} is invalid; expected {}", robot.key, expected));
            else if (address.port == 0)
                reader_.fault_at(
                    robot.offset,
                    fmt::format("dial.{} has port 0; expected the ReceivePort of the robot", robot.key));
            else if (same != all.end())
                reader_.fault_at(
                    robot.offset,
                    fmt::format("dial.{} has the address of dial.{}; expected one address per robot",
                                robot.key, same->first));
            all[robot.key] = address;
            dial_at_ = robot.offset;
        }
    }

    std::string tables_text() {
        std::string text;
        for (auto& [name, robots] : draft_.config.fleet.groups) {
            std::vector<std::string> members(robots.begin(), robots.end());
            text += fmt::format("{}{} = {}\n", text.empty() ? "\n[groups]\n" : "", json_quoted(name),
                                config::value_text(&members));
        }
        std::string_view heading = "\n[dial]\n";
        for (auto& [robot, address] : draft_.config.fleet.dial)
            text += fmt::format("{}{} = {}\n", std::exchange(heading, ""), json_quoted(robot),
                                config::value_text(&address));
        return text;
    }

    void put_together() {
        StationConfig& config = draft_.config;
        config.fleet.robots.insert(draft_.robots.begin(), draft_.robots.end());
        config.api.station = config.fleet.session.station;
        for (const std::string& name : draft_.views) {
            if (const auto view = view_named(name))
                config.record.views.insert(*view);
            else
                reader_.fault_at_key("record.views", "record.views: " + view.error().message);
        }
        if (!draft_.observe_token.empty())
            config.api.access.tokens[draft_.observe_token] = link::Role::observe;
        if (!draft_.drive_token.empty()) config.api.access.tokens[draft_.drive_token] = link::Role::drive;
        if (!draft_.admin_token.empty()) config.api.access.tokens[draft_.admin_token] = link::Role::admin;
        if (config.plain && !config.listen.is_loopback())
            reader_.fault_at_key("listen",
                                 "link.plain is for this machine only: listen at 127.0.0.1, or use keys");
        if (config.plain && !std::ranges::all_of(config.fleet.dial, [](const auto& robot) {
                return robot.second.is_loopback();
            }))
            reader_.fault_at(dial_at_, "link.plain is for this machine only: dial 127.0.0.1, or use keys");
        if (!config.web_listen.is_loopback() && config.api.access.tokens.empty())
            reader_.fault_at_key("web.listen",
                                 "for other machines there has to be a token, such as observe_token");
        if (config.record.limit_mib < 2 * config.record.file_mib)
            reader_.fault_at_key("record.limit_mib",
                                 "record.limit_mib should be at least twice record.file_mib");
        if (const auto good = check_settings(config.topics.dds); !good)
            reader_.fault_at_key(config.topics.dds.peers.empty() ? "topics.interface" : "topics.peers",
                                 "[topics] " + good.error().message);
        const SessionSettings& link = config.fleet.session;
        if (link.link_limit <= link.heartbeat)
            reader_.fault_at_key("link.link_limit",
                                 "link.link_limit should be more than link.heartbeat, or every link is lost");
    }

    StationDraft draft_{};
    std::vector<config::Place> places_;
    config::Reader reader_;
    std::size_t dial_at_ = 0;
};

}  // namespace

ReadStationConfig read_station_config(std::string_view text, std::string path) {
    const NamedText file{std::move(path), std::string(text)};
    return StationConfigReader(file).read(file.name);
}

}  // namespace caribou::station
