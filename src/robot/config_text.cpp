// A configuration as text: values, the effective configuration, the documentation.

#include <fmt/format.h>

#include "config/text.hpp"
#include "robot/config_schema.hpp"

namespace caribou::robot {
namespace {

constexpr std::string_view page_top = R"(# The configuration of a robot

A TOML file, read by `caribou robot --config FILE`. Every key has a default; an unknown key, a wrong type and
a value out of range are errors, all reported at once with their lines. `caribou robot --check-config` only checks;
`--print-config` shows every value with its origin. Command 201 (`set_parameter`) may change what is marked,
by the full name, such as `telemetry.rate`; *reboot* means that RM5 has to follow. A key marked *never* names a
program: it is read from this file alone, and nothing that comes over a link, bus, page or ROS can set it.

This page is generated from the schema (`src/robot/config_schema.cpp`).
)";

}  // namespace

std::string section_text(const RobotConfig& config, std::string_view section) {
    RobotConfig copy = config;
    const auto places = config_schema().places(copy);
    const auto& keys = config_schema().keys();
    std::string text;
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (keys[i].section == section)
            text += fmt::format("{} = {}\n", keys[i].name, config::value_text(places[i]));
    return text;
}

std::string print_config(const ReadConfig& read) {
    RobotConfig copy = read.config;
    return config::file_text(config_schema().keys(), config_schema().places(copy), read.lines, read.path);
}

std::string config_page() {
    RobotConfig defaults;
    return std::string(page_top) +
           config::page_text(config_schema().keys(), config_schema().places(defaults), true);
}

}  // namespace caribou::robot
