#include "robot/robot_config.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ranges>

#include <fmt/format.h>

#include "base/json_text.hpp"
#include "base/path_name.hpp"
#include "base/suggestion.hpp"
#include "loop/address.hpp"
#include "robot/config_schema.hpp"

namespace caribou::robot {
namespace {

using bus::MissionFinding;
using bus::MissionSetting;
using bus::Spelling;

/// Stores the text of a file. Returns false if it is not a valid value.
struct Put {
    const ConfigKey& key;
    const MissionSetting& setting;

    template <class Number>
    std::optional<Number> number() const {
        Number value{};
        const char* const end = setting.value.data() + setting.value.size();
        const auto [at, error] = std::from_chars(setting.value.data(), end, value);
        const auto real = static_cast<double>(value);
        if (setting.spelling != Spelling::number || error != std::errc() || at != end) return std::nullopt;
        if (!std::isfinite(real) || real < key.low || real > key.high) return std::nullopt;
        return value;
    }
    bool operator()(int* into) const {
        const auto value = number<int>();
        if (value) *into = *value;
        return value.has_value();
    }
    bool operator()(double* into) const {
        const auto value = number<double>();
        if (value) *into = *value;
        return value.has_value();
    }
    bool operator()(Duration* into) const {
        const auto value = number<double>();
        if (value) *into = from_seconds(*value);
        return value.has_value();
    }
    bool operator()(bool* into) const {
        *into = setting.value == "true";
        return setting.spelling == Spelling::boolean;
    }
    bool operator()(std::string* into) const {
        const bool known = key.words.empty() || std::ranges::count(key.words, setting.value) > 0;
        const bool plain = setting.value.find('\0') == std::string::npos;
        if (setting.spelling != Spelling::text || !known || !plain) return false;
        *into = setting.value;
        return true;
    }
    bool operator()(std::vector<std::string>* into) const {
        if (setting.spelling != Spelling::text) return false;
        into->push_back(setting.value);
        return true;
    }
};

class Reader {
public:
    explicit Reader(ReadConfig& into) : into_(into) { into_.lines.resize(config_schema().size()); }

    void read(std::string_view section, const std::vector<MissionSetting>& settings) {
        for (const MissionSetting& setting : settings) read(section, setting);
    }

    void refuse_section(const bus::MissionBlock& block) {
        std::vector<std::string> known;
        for (const ConfigKey& key : config_schema())
            if (!key.section.empty() && std::ranges::count(known, key.section) == 0)
                known.push_back(key.section);
        add(block.line, fmt::format("there is no section `{}`{}", block.name, instead_of(block.name, known)));
    }

    void add(std::size_t line, std::string text) {
        into_.findings.push_back({MissionFinding::Kind::error, line, std::move(text)});
    }
    std::size_t line_of(std::string_view full_name) const {
        return into_.lines.at(static_cast<std::size_t>(find_key(full_name) - config_schema().data()));
    }

private:
    void read(std::string_view section, const MissionSetting& setting) {
        const auto& schema = config_schema();
        const auto key = std::ranges::find_if(schema, [&](const ConfigKey& each) {
            return each.section == section && each.name == setting.key;
        });
        if (key == schema.end()) {
            std::vector<std::string> known;
            for (const ConfigKey& each : schema)
                if (each.section == section) known.push_back(each.name);
            return add(setting.line, fmt::format("there is no key `{}`{}{}", setting.key,
                                                 section.empty() ? "" : fmt::format(" in [{}]", section),
                                                 instead_of(setting.key, known)));
        }
        const ConfigPlace place = key->place(into_.config);
        std::size_t& line = into_.lines[static_cast<std::size_t>(key - schema.begin())];
        if (line != 0 && !std::holds_alternative<std::vector<std::string>*>(place))
            return add(setting.line, fmt::format("{} has one value, no list", key->full_name()));
        line = setting.line;
        if (!std::visit(Put{*key, setting}, place))
            add(setting.line, fmt::format("{} is {}; it should be a {}", key->full_name(), shown(setting),
                                          type_text(*key)));
    }

    static std::string shown(const MissionSetting& setting) {
        constexpr std::size_t most = 40;
        const std::string value = setting.value.substr(0, most) + (setting.value.size() > most ? "…" : "");
        return setting.spelling == Spelling::text ? json_quoted(value) : value;
    }

    ReadConfig& into_;
};

bool is_address(const std::string& host) {
    const auto address = Address::parse(host + ":1");
    return address && address->kind == Address::Kind::ip;
}

/// A message about motion settings, with their names in the file.
struct NamedKeys {
    std::string text;
    std::vector<std::string> keys;  ///< named by the message
};
NamedKeys with_full_names(std::string_view text) {
    const auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    };
    NamedKeys named;
    while (!text.empty()) {
        const auto end = static_cast<std::size_t>(std::ranges::find_if_not(text, is_letter) - text.begin());
        const std::string_view word = text.substr(0, end);
        const auto key = std::ranges::find_if(config_schema(), [&](const ConfigKey& each) {
            if (each.section == "battery") return "battery_" + each.name == word;
            return (each.section == "motion" || each.section == "safety") && each.name == word;
        });
        const bool known = !word.empty() && key != config_schema().end();
        if (known) named.keys.push_back(key->full_name());
        named.text += known ? key->full_name() : std::string(text.substr(0, std::max<std::size_t>(end, 1)));
        text.remove_prefix(std::max<std::size_t>(end, 1));
    }
    return named;
}

/// Checks combinations of values that are each valid.
void check_whole(const RobotConfig& config, Reader& reader) {
    const auto contradict = [&](std::string_view key, std::string text) {
        reader.add(std::max<std::size_t>(1, reader.line_of(key)), std::move(text));
    };
    if (config.default_run_mode == 3 && config.default_com_mode < 2)
        contradict("DefaultComMode",
                   fmt::format("DefaultRunMode 3 needs DefaultComMode 3, not {}", config.default_com_mode));
    if (config.default_run_mode == 3 && config.default_com_mode == 2 && !config.allow_blind_server_mode)
        contradict("DefaultComMode",
                   "DefaultRunMode 3 with DefaultComMode 2 needs allow_blind_server_mode = true");
    if (config.default_run_mode == 1 && config.wait_time <= 0)
        contradict("DefaultRunMode", "DefaultRunMode 1 needs a wait_time after which it ends");
    if (!is_address(config.server_ip))
        contradict("ServerIP", fmt::format("ServerIP `{}` is no address", config.server_ip));
    else if (config.link_plain && !Address::ip(config.server_ip, 0).is_loopback())
        contradict(
            "ServerIP",
            fmt::format("ServerIP {} is not on this machine, and link.plain keeps the link on loopback",
                        config.server_ip));
    if (!Address::parse(config.bus_address))
        contradict("bus.address",
                   fmt::format("bus.address `{}` is no address, such as 127.0.0.1:9000", config.bus_address));
    else if (config.bus_host && !Address::parse(config.bus_address)->is_loopback())
        contradict("bus.address",
                   fmt::format("bus.host listens on this machine only, and bus.address is {}; for other "
                               "machines start `caribou db --insecure-lan` and set bus.join",
                               config.bus_address));
    if (const auto page = Address::parse(config.web_listen); !config.web_listen.empty() && !page)
        contradict("web.listen",
                   fmt::format("web.listen `{}` is no address, such as 127.0.0.1:9681", config.web_listen));
    else if (page && !page->is_loopback() && config.web_token.empty())
        contradict("web.listen", "for other machines there has to be a web.token");
    for (const auto& [section, dds] : {std::pair("ros", &config.ros_dds), {"topics", &config.topics.dds}})
        if (const auto good = check_settings(*dds); !good)
            contradict(fmt::format("{}.{}", section, dds->peers.empty() ? "interface" : "peers"),
                       fmt::format("[{}] {}", section, good.error().message));
    if (config.body == "driver" && (config.body_command.empty() || config.body_command.front().empty()))
        contradict("body.kind", "body.kind \"driver\" needs body.command, the program of the driver");
    if (config.body != "driver" && !config.body_command.empty())
        contradict("body.command", "body.command needs body.kind \"driver\"");
    if (config.default_run_mode == 2 && 1 / config.telemetry_rate > 0.8 * config.ai_telemetry_limit)
        contradict(
            "telemetry.rate",
            fmt::format("telemetry.rate {} Hz is too slow for RM2: behaviors halt while telemetry is older "
                        "than ai.telemetry_limit, {} s; raise one of them",
                        config.telemetry_rate, config.ai_telemetry_limit));
    if (!config.ai_bus_facts.empty() && !config.bus_join && !config.bus_host)
        contradict("ai.bus_facts", "ai.bus_facts needs a bus: bus.join or bus.host");
    if (const auto good = check_path_name(config.name); !good)
        contradict("name", "name: " + good.error().message);
    if (const auto good = check_path_name(config.link_station); !good)
        contradict("link.station", "link.station: " + good.error().message);
    for (const std::string& text : contradictions(config.motion, motion::BodyPlan{.max_speed = 5})) {
        const NamedKeys named = with_full_names(text);
        std::size_t line = 1;
        for (const std::string& key : named.keys) line = std::max(line, reader.line_of(key));
        reader.add(line, named.text);
    }
}

/// Returns a command's plain word in the notation of a file.
std::string file_text(const ConfigKey& key, std::string_view value) {
    RobotConfig any;
    const bool text = std::holds_alternative<std::string*>(key.place(any));
    return text && !value.starts_with('"') ? json_quoted(value) : std::string(value);
}

/// Returns the text with a line inserted or replaced.
std::string with_line(std::string_view text, std::size_t line, bool replaces, const std::string& put) {
    std::string result;
    std::size_t number = 0;
    for (const auto part : std::views::split(text, '\n')) {
        if (++number == line)
            result += put + (replaces ? "\n" : "\n" + std::string(part.begin(), part.end()) + "\n");
        else
            result += std::string(part.begin(), part.end()) + "\n";
    }
    if (line > number) result += put + "\n";
    if (!text.empty() && text.back() == '\n' && line <= number) result.pop_back();
    return result;
}

}  // namespace

ReadConfig read_config(std::string_view text, std::string path) {
    ReadConfig read{.path = std::move(path)};
    Reader reader(read);
    if (text.size() > max_config_size) {
        reader.add(1, fmt::format("the file has {} bytes; a configuration has at most {}", text.size(),
                                  max_config_size));
        return read;
    }
    bus::Mission file = bus::parse_toml_mission(text, read.path);
    read.findings = std::move(file.findings);
    reader.read("", file.settings);
    for (const bus::MissionBlock& block : file.blocks) {
        if (std::ranges::count(config_schema(), block.name, &ConfigKey::section) > 0 && !block.name.empty())
            reader.read(block.name, block.settings);
        else
            reader.refuse_section(block);
    }
    check_whole(read.config, reader);
    std::ranges::stable_sort(read.findings, {}, &MissionFinding::line);
    return read;
}

Result<std::string> with_parameter(std::string_view text, std::string_view name, std::string_view value) {
    const ConfigKey* const key = find_key(name);
    if (!key) {
        std::vector<std::string> known;
        for (const ConfigKey& each : config_schema())
            if (each.settable) known.push_back(each.full_name());
        return fail(Code::not_found,
                    fmt::format("there is no parameter `{}`{}", name, instead_of(name, known)));
    }
    if (!key->settable)
        return fail(Code::refused, fmt::format("{} is not to be set from afar; edit the file", name));
    if (value.find('\n') != std::string_view::npos)
        return fail(Code::invalid_argument, "a value stands in one line");

    const ReadConfig before = read_config(text, "the configuration");
    const std::size_t at = before.lines.at(static_cast<std::size_t>(key - config_schema().data()));
    const bus::Mission file = bus::parse_toml_mission(text, "the configuration");
    const bus::MissionBlock* const block = key->section.empty() ? nullptr : file.find_block(key->section);
    const std::string line = fmt::format("{} = {}", key->name, file_text(*key, value));
    std::string changed;
    if (at != 0)
        changed = with_line(text, at, true, line);
    else if (key->section.empty())
        changed = with_line(text, 1, false, line);
    else if (block)
        changed = with_line(text, block->line + 1, false, line);
    else
        changed = std::string(text) + fmt::format("\n[{}]\n{}\n", key->section, line);

    const ReadConfig after = read_config(changed, "the configuration");
    if (!after.good())
        return fail(Code::invalid_argument, bus::error_lines("the configuration", after.findings));
    for (const ConfigKey& each : config_schema())
        if (&each != key && value_text(each, before.config) != value_text(each, after.config))
            return fail(Code::invalid_argument,
                        fmt::format("{} does not stand in a line of its own; edit the file", name));
    return changed;
}

}  // namespace caribou::robot
