#include "station/station_config.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <variant>

#include <fmt/format.h>

#include "base/json_node.hpp"
#include "base/suggestion.hpp"
#include "base/toml.hpp"
#include "station/api_request.hpp"

namespace caribou::station {
namespace {

using Kind = JsonNode::Kind;
using Texts = std::vector<std::string>;
using Place =
    std::variant<std::string*, bool*, std::size_t*, int*, double*, Duration*, Address*, link::Role*, Texts*>;

/// Values before they are combined into the configuration.
struct Draft {
    StationConfig config{};
    Texts robots{};
    Texts views{"scan", "map"};
    std::string observe_token{};
    std::string drive_token{};
    std::string admin_token{};
};

/// One key: its section, and its valid values.
struct Key {
    std::string section;  ///< empty: at the top level
    std::string name;
    std::function<Place(Draft&)> place;
    double low = 0;  ///< of numbers; durations are seconds
    double high = 0;
    Texts words{};  ///< valid texts; empty: any
};

const std::vector<Key>& schema() {
    static const std::vector<Key> keys{
        {"", "name", [](Draft& d) { return &d.config.fleet.session.station; }},
        {"", "listen", [](Draft& d) { return &d.config.listen; }},
        {"", "send_to", [](Draft& d) { return &d.config.fleet.session.send_to; }},
        {"", "robots", [](Draft& d) { return &d.robots; }},
        {"", "only_known", [](Draft& d) { return &d.config.fleet.only_known; }},
        {"", "max_robots", [](Draft& d) { return &d.config.fleet.max_robots; }, 1, 100'000},
        {"link", "plain", [](Draft& d) { return &d.config.plain; }},
        {"link", "keys", [](Draft& d) { return &d.config.keys; }},
        {"link", "role", [](Draft& d) { return &d.config.fleet.session.role; }},
        {"link", "shake_limit", [](Draft& d) { return &d.config.fleet.session.shake_limit; }, 0.5, 60},
        {"link", "heartbeat", [](Draft& d) { return &d.config.fleet.session.heartbeat; }, 0.1, 10},
        {"link", "link_limit", [](Draft& d) { return &d.config.fleet.session.link_limit; }, 0.5, 60},
        {"link", "stale_after", [](Draft& d) { return &d.config.fleet.session.stale_after; }, 0.1, 60},
        {"link", "lease_limit", [](Draft& d) { return &d.config.fleet.session.lease_limit; }, 1, 3600},
        {"link", "answer_limit", [](Draft& d) { return &d.config.fleet.session.pending.answer; }, 0.5, 60},
        {"link", "work_limit", [](Draft& d) { return &d.config.fleet.session.pending.work; }, 1, 3600},
        {"link", "stop_limit", [](Draft& d) { return &d.config.fleet.stop_limit; }, 0.1, 60},
        {"autopilot", "battery_low", [](Draft& d) { return &d.config.pilot.battery_low; }, 0, 1},
        {"autopilot", "level", [](Draft& d) { return &d.config.pilot.way.level; }, 1, 3},
        {"autopilot", "radius", [](Draft& d) { return &d.config.pilot.way.radius; }, 0.05, 5},
        {"autopilot", "patience", [](Draft& d) { return &d.config.pilot.way.patience; }, 0.5, 600},
        {"autopilot", "progress_limit", [](Draft& d) { return &d.config.pilot.way.progress_limit; }, 1, 600},
        {"autopilot", "refused_limit", [](Draft& d) { return &d.config.pilot.refused_limit; }, 0.5, 600},
        {"record", "folder", [](Draft& d) { return &d.config.record.folder; }},
        {"record", "at_start", [](Draft& d) { return &d.config.record.at_start; }},
        {"record", "file_mib", [](Draft& d) { return &d.config.record.file_mib; }, 1, 4096},
        {"record", "limit_mib", [](Draft& d) { return &d.config.record.limit_mib; }, 8, 1'000'000},
        {"record", "views", [](Draft& d) { return &d.views; }},
        {"topics", "transport", [](Draft& d) { return &d.config.topics.transport; }, 0, 0,
         negotiation::topic_transports()},
        {"topics", "broker", [](Draft& d) { return &d.config.topics.broker; }},
        {"topics", "domain", [](Draft& d) { return &d.config.topics.dds.domain; }, -1,
         negotiation::DdsSettings::max_domain},
        {"topics", "insecure_lan", [](Draft& d) { return &d.config.topics.dds.insecure_lan; }},
        {"topics", "interface", [](Draft& d) { return &d.config.topics.dds.interface; }},
        {"topics", "peers", [](Draft& d) { return &d.config.topics.dds.peers; }},
        {"web", "listen", [](Draft& d) { return &d.config.web_listen; }},
        {"web", "role", [](Draft& d) { return &d.config.api.access.local_role; }},
        {"web", "hosts", [](Draft& d) { return &d.config.api.hosts; }},
        {"web", "max_watchers", [](Draft& d) { return &d.config.api.max_watchers; }, 1, 1000},
        {"web", "observe_token", [](Draft& d) { return &d.observe_token; }},
        {"web", "drive_token", [](Draft& d) { return &d.drive_token; }},
        {"web", "admin_token", [](Draft& d) { return &d.admin_token; }},
    };
    return keys;
}

/// Stores a value. Returns what was expected if the value is invalid.
struct Put {
    const Key& key;
    const JsonNode& node;

    std::string number_range() const { return fmt::format("a number from {} to {}", key.low, key.high); }
    bool in_range() const {
        return node.is(Kind::number) && node.number >= key.low && node.number <= key.high;
    }
    bool is_whole() const { return in_range() && node.number == std::floor(node.number); }
    std::string operator()(std::string* into) const {
        if (!node.is(Kind::text) || node.text.find('\0') != std::string::npos) return "a text";
        if (!key.words.empty() && std::ranges::find(key.words, node.text) == key.words.end())
            return listed(key.words, "or");
        *into = node.text;
        return {};
    }
    std::string operator()(bool* into) const {
        if (!node.is(Kind::truth)) return "true or false";
        *into = node.truth;
        return {};
    }
    std::string operator()(std::size_t* into) const {
        if (!is_whole()) return "a whole " + number_range().substr(2);
        *into = static_cast<std::size_t>(node.number);
        return {};
    }
    std::string operator()(int* into) const {
        if (!is_whole()) return "a whole " + number_range().substr(2);
        *into = static_cast<int>(node.number);
        return {};
    }
    std::string operator()(double* into) const {
        if (!in_range()) return number_range();
        *into = node.number;
        return {};
    }
    std::string operator()(Duration* into) const {
        if (!in_range()) return number_range() + " (seconds)";
        *into = from_seconds(node.number);
        return {};
    }
    std::string operator()(Address* into) const {
        const auto address = Address::parse(node.text);
        if (!node.is(Kind::text) || !address || address->kind != Address::Kind::ip)
            return "an address such as `127.0.0.1:9600`";
        *into = *address;
        return {};
    }
    std::string operator()(link::Role* into) const {
        const auto role = link::role_from(node.text);
        if (!node.is(Kind::text) || !role) return "`observe`, `drive` or `admin`";
        *into = *role;
        return {};
    }
    std::string operator()(Texts* into) const {
        const bool good = node.is(Kind::list) &&
                          std::ranges::all_of(node.items, [](const JsonNode& n) { return n.is(Kind::text); });
        if (!good) return "a list of texts";
        into->clear();  // the default
        for (const JsonNode& item : node.items) into->push_back(item.text);
        return {};
    }
};

class StationConfigReader {
public:
    StationConfigReader(std::span<const NamedText> files) : faults_(files, 100) {}

    ReadStationConfig read(std::string_view text) {
        const auto root = read_toml(text);
        if (!root)
            fault(root.error().offset, root.error().message);
        else
            read_table(*root, "");
        put_together();
        return {std::move(draft_.config), faults_.take()};
    }

private:
    void fault(std::size_t offset, std::string message) {
        faults_.add({.file = 0, .offset = offset}, std::move(message));
    }

    void read_table(const JsonNode& table, const std::string& section) {
        for (const JsonNode& node : table.items) {
            const bool names_section =
                section.empty() && std::ranges::find(schema(), node.key, &Key::section) != schema().end();
            if (section.empty() && node.key == "groups")
                read_groups(node);
            else if (section.empty() && node.key == "dial")
                read_dial(node);
            else if (names_section && node.is(Kind::object))
                read_table(node, node.key);
            else
                read_key(node, section);
        }
    }

    void read_key(const JsonNode& node, const std::string& section) {
        const auto key = std::ranges::find_if(
            schema(), [&](const Key& k) { return k.section == section && k.name == node.key; });
        if (key == schema().end()) return unknown(node, section);
        const std::string should = std::visit(Put{*key, node}, key->place(draft_));
        if (!should.empty()) fault(node.offset, fmt::format("{} should be {}", node.key, should));
        if (node.key == "listen") (section.empty() ? listen_at_ : web_at_) = node.offset;
        if (section == "topics") topics_at_ = node.offset;
    }

    void unknown(const JsonNode& node, const std::string& section) {
        std::vector<std::string> known;
        for (const Key& key : schema())
            if (key.section == section) known.push_back(key.name);
        if (section.empty())
            known.insert(known.end(), {"link", "autopilot", "record", "topics", "web", "groups", "dial"});
        fault(node.key_offset, fmt::format("there is no key `{}`{}{}", node.key,
                                           section.empty() ? "" : fmt::format(" in [{}]", section),
                                           instead_of(node.key, known)));
    }

    void read_groups(const JsonNode& node) {
        if (!node.is(Kind::object)) return fault(node.offset, "groups should be a table of lists of names");
        for (const JsonNode& group : node.items) {
            Texts members;
            const std::string should = Put{schema().front(), group}(&members);
            if (!should.empty())
                fault(group.offset, fmt::format("the group {} should be {}", group.key, should));
            draft_.config.fleet.groups[group.key] = {members.begin(), members.end()};
        }
    }

    void read_dial(const JsonNode& node) {
        if (!node.is(Kind::object)) return fault(node.offset, "dial should be a table of addresses by robot");
        for (const JsonNode& robot : node.items) {
            const std::string should = Put{schema().front(), robot}(&draft_.config.fleet.dial[robot.key]);
            if (!should.empty()) fault(robot.offset, fmt::format("dial.{} should be {}", robot.key, should));
            dial_at_ = robot.offset;
        }
    }

    void put_together() {
        StationConfig& config = draft_.config;
        config.fleet.robots.insert(draft_.robots.begin(), draft_.robots.end());
        config.api.station = config.fleet.session.station;
        for (const std::string& name : draft_.views) {
            if (const auto view = view_named(name))
                config.record.views.insert(*view);
            else
                fault(0, "record.views: " + view.error().message);
        }
        if (!draft_.observe_token.empty())
            config.api.access.tokens[draft_.observe_token] = link::Role::observe;
        if (!draft_.drive_token.empty()) config.api.access.tokens[draft_.drive_token] = link::Role::drive;
        if (!draft_.admin_token.empty()) config.api.access.tokens[draft_.admin_token] = link::Role::admin;
        if (config.plain && !config.listen.is_loopback())
            fault(listen_at_, "link.plain is for this machine only: listen at 127.0.0.1, or use keys");
        if (config.plain && !std::ranges::all_of(config.fleet.dial, [](const auto& robot) {
                return robot.second.is_loopback();
            }))
            fault(dial_at_, "link.plain is for this machine only: dial 127.0.0.1, or use keys");
        if (!config.web_listen.is_loopback() && config.api.access.tokens.empty())
            fault(web_at_, "for other machines there has to be a token, such as observe_token");
        if (config.record.limit_mib < 2 * config.record.file_mib)
            fault(0, "record.limit_mib should be at least twice record.file_mib");
        if (const auto good = check_settings(config.topics.dds); !good)
            fault(topics_at_, "[topics] " + good.error().message);
        const SessionSettings& link = config.fleet.session;
        if (link.link_limit <= link.heartbeat)
            fault(0, "link.link_limit should be more than link.heartbeat, or every link is lost");
    }

    FaultList faults_;
    Draft draft_{};
    std::size_t listen_at_ = 0;
    std::size_t web_at_ = 0;
    std::size_t topics_at_ = 0;
    std::size_t dial_at_ = 0;
};

}  // namespace

ReadStationConfig read_station_config(std::string_view text, std::string path) {
    const NamedText file{std::move(path), std::string(text)};
    return StationConfigReader({&file, 1}).read(file.text);
}

std::vector<std::string> station_config_keys() {
    std::vector<std::string> names;
    for (const Key& key : schema())
        names.push_back(key.section.empty() ? key.name : key.section + "." + key.name);
    return names;
}

}  // namespace caribou::station
