// A configuration as text: values, the effective configuration, the documentation.

#include <algorithm>

#include <fmt/format.h>

#include "base/json_text.hpp"
#include "base/number_text.hpp"
#include "base/suggestion.hpp"
#include "robot/config_schema.hpp"

namespace caribou::robot {
namespace {

struct ValueText {
    std::string operator()(const int* value) const { return fmt::format("{}", *value); }
    std::string operator()(const double* value) const { return number_text(*value); }
    std::string operator()(const Duration* value) const { return number_text(to_seconds(*value)); }
    std::string operator()(const bool* value) const { return *value ? "true" : "false"; }
    std::string operator()(const std::string* value) const { return json_quoted(*value); }
    std::string operator()(const std::vector<std::string>* value) const {
        std::string list;
        for (const std::string& each : *value) list += (list.empty() ? "" : ", ") + json_quoted(each);
        return "[" + list + "]";
    }
};

std::string heading(const ConfigKey& key, std::string_view section, std::string_view form) {
    return key.section == section ? std::string() : fmt::format(fmt::runtime(form), key.section);
}

constexpr std::string_view page_top = R"(# The configuration of a robot

A TOML file, read by `caribou robot --config FILE`. Every key has a default; an unknown key, a wrong type and
a value out of range are errors, all told at once with their lines. `caribou robot --check-config` only looks;
`--print-config` shows every value with its origin. Command 201 (`set_parameter`) may change what is marked,
by the full name, such as `telemetry.rate`; *reboot* means that RM5 has to follow. A key marked *never* names a
program: it is read from this file alone, and nothing that comes over a link, bus, page or ROS can set it.

This page is made from the schema (`src/robot/config_schema.cpp`).
)";

}  // namespace

std::string value_text(const ConfigKey& key, const RobotConfig& config) {
    RobotConfig copy = config;
    return std::visit(ValueText{}, key.place(copy));
}

std::string section_text(const RobotConfig& config, std::string_view section) {
    std::string text;
    for (const ConfigKey& key : config_schema())
        if (key.section == section) text += fmt::format("{} = {}\n", key.name, value_text(key, config));
    return text;
}

std::string type_text(const ConfigKey& key) {
    RobotConfig any;
    const ConfigPlace place = key.place(any);
    const auto range = [&] { return fmt::format(" from {} to {}", key.low, key.high); };
    if (std::holds_alternative<int*>(place)) return "whole number" + range();
    if (std::holds_alternative<bool*>(place)) return "true or false";
    if (std::holds_alternative<std::vector<std::string>*>(place)) return "list of texts";
    if (std::holds_alternative<std::string*>(place))
        return key.words.empty() ? "text" : listed(key.words, "or");
    return "number" + range();
}

std::string print_config(const ReadConfig& read) {
    std::string text;
    std::string section;
    const auto& schema = config_schema();
    for (std::size_t i = 0; i < schema.size(); ++i) {
        const ConfigKey& key = schema[i];
        text += heading(key, section, "\n[{}]\n");
        section = key.section;
        const std::string origin =
            read.lines.at(i) == 0 ? "default" : fmt::format("{}:{}", read.path, read.lines[i]);
        text += fmt::format("{:<40} # {}\n", fmt::format("{} = {}", key.name, value_text(key, read.config)),
                            origin);
    }
    return text;
}

std::string config_page() {
    std::string text(page_top);
    std::string section = "?";
    for (const ConfigKey& key : config_schema()) {
        if (key.section != section) {
            text += key.section.empty() ? std::string("\n## At the top\n")
                                        : fmt::format("\n## [{}]\n", key.section);
            text += "\n| key | type | unit | default | 201 | |\n|---|---|---|---|---|---|\n";
        }
        section = key.section;
        text += fmt::format("| `{}` | {} | {} | `{}` | {} | {} |\n", key.name, type_text(key), key.unit,
                            value_text(key, {}),
                            key.names_program ? "never"
                            : !key.settable   ? ""
                            : key.at_once     ? "at once"
                                              : "reboot",
                            key.what);
    }
    return text;
}

}  // namespace caribou::robot
