#include "robot/robot_config.hpp"

#include <algorithm>
#include <ranges>

#include <fmt/format.h>

#include "base/json_text.hpp"
#include "base/suggestion.hpp"
#include "base/toml.hpp"
#include "config/reader.hpp"
#include "config/text.hpp"
#include "robot/config_contradictions.hpp"
#include "robot/config_schema.hpp"

namespace caribou::robot {
namespace {

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
        const auto& schema = config_schema().keys();
        const auto key = std::ranges::find_if(schema, [&](const config::Key& each) {
            if (each.section == "battery") return "battery_" + each.name == word;
            return (each.section == "motion" || each.section == "safety") && each.name == word;
        });
        const bool known = !word.empty() && key != schema.end();
        if (known) named.keys.push_back(key->full_name());
        named.text += known ? key->full_name() : std::string(text.substr(0, std::max<std::size_t>(end, 1)));
        text.remove_prefix(std::max<std::size_t>(end, 1));
    }
    return named;
}

/// Reports combinations of values that are each valid.
void check_whole(const RobotConfig& config, config::Reader& reader) {
    for (const Contradiction& each : contradictions(config)) reader.fault_at_key(each.key, each.text);
    const std::vector<std::size_t> lines = reader.lines();
    const auto& schema = config_schema();
    for (const std::string& text : contradictions(config.motion, motion::BodyPlan{.max_speed = 5})) {
        const NamedKeys named = with_full_names(text);
        // At the last of them in the file.
        const auto line = [&](const std::string& key) {
            return lines.at(static_cast<std::size_t>(schema.find(key) - schema.keys().data()));
        };
        const auto last = std::ranges::max_element(named.keys, {}, line);
        reader.fault_at_key(last == named.keys.end() ? "" : *last, named.text);
    }
}

/// Returns a command's plain word in the notation of a file.
std::string file_text(const config::Key& key, std::string_view value) {
    RobotConfig any;
    const auto places = config_schema().places(any);
    const auto index = static_cast<std::size_t>(&key - config_schema().keys().data());
    const config::Place& place = places.at(index);
    const bool is_list = std::holds_alternative<std::vector<std::string>*>(place);
    const bool takes_text = is_list || std::holds_alternative<std::string*>(place);
    if (is_list && value.empty()) return "[]";
    const bool is_in_notation = value.starts_with('"') || (is_list && value.starts_with('['));
    return takes_text && !is_in_notation ? json_quoted(value) : std::string(value);
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
    const NamedText file{read.path, std::string(text.substr(0, max_config_size))};
    const auto places = config_schema().places(read.config);
    config::Reader reader(file, config_schema().keys(), places);
    if (text.size() > max_config_size)
        reader.fault_at(0, fmt::format("the file has {} bytes; a configuration has at most {}", text.size(),
                                       max_config_size));
    else
        reader.read();
    check_whole(read.config, reader);
    read.lines = reader.lines();
    read.columns = reader.columns();
    read.faults = reader.take_faults();
    return read;
}

TextFault ReadConfig::fault_of(std::string_view full_name, std::string message) const {
    const config::Key* const key = config_schema().find(full_name);
    const auto index = key ? static_cast<std::size_t>(key - config_schema().keys().data()) : lines.size();
    if (index >= lines.size() || lines[index] == 0) return {.file = path, .message = std::move(message)};
    return {path, lines[index], columns[index], std::move(message)};
}

std::string ReadConfig::errors() const {
    std::string text = to_string(faults);
    if (!text.empty()) text.pop_back();
    return text;
}

Result<std::string> with_parameter(std::string_view text, std::string_view name, std::string_view value,
                                   const std::string& path) {
    const auto& keys = config_schema().keys();
    const config::Key* const key = config_schema().find(name);
    if (!key) {
        std::vector<std::string> known;
        for (const config::Key& each : keys)
            if (each.settable()) known.push_back(each.full_name());
        return fail(Code::not_found,
                    fmt::format("there is no parameter `{}`{}", name, instead_of(name, known)));
    }
    if (!key->settable())
        return fail(Code::refused, fmt::format("{} cannot be set by a command; edit the file", name));
    if (value.find('\n') != std::string_view::npos)
        return fail(Code::invalid_argument, "a value must be on one line");

    ReadConfig before = read_config(text, path);
    const auto index = static_cast<std::size_t>(key - keys.data());
    const std::size_t at = before.lines.at(index);
    const auto file = read_toml(text);
    const JsonNode* const section = file && !key->section.empty() ? file->find(key->section) : nullptr;
    const std::string line = fmt::format("{} = {}", key->name, file_text(*key, value));
    std::string changed;
    if (at != 0)
        changed = with_line(text, at, true, line);
    else if (key->section.empty())
        changed = with_line(text, 1, false, line);
    else if (section)
        changed = with_line(text, config::line_of(text, section->offset) + 1, false, line);
    else
        changed = std::string(text) + fmt::format("\n[{}]\n{}\n", key->section, line);

    ReadConfig after = read_config(changed, path);
    if (!after.good()) return fail(Code::invalid_argument, after.errors());
    const auto old_places = config_schema().places(before.config);
    const auto new_places = config_schema().places(after.config);
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (i != index && config::value_text(old_places[i]) != config::value_text(new_places[i]))
            return fail(Code::invalid_argument,
                        fmt::format("{} is not on a line of its own; edit the file", name));
    return changed;
}

}  // namespace caribou::robot
