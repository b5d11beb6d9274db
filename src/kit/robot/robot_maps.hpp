#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/result.hpp"
#include "kit/program/exit.hpp"
#include "robot/robot_config.hpp"

namespace caribou::app {

/// Returns why the map that `map.load` names cannot be loaded at the start.
Result<void> check_stored_map(const robot::RobotConfig& config);

/// `caribou robot map`: the stored maps of a robot on this machine. What concerns the present map is a
/// request to the robot, which has to run; the others only use its files.
class RobotMaps {
public:
    /// `config_path` is set by an option of each verb, and outlives the parser.
    void add_to(CLI::App& parser, std::string& config_path);
    bool parsed() const { return parser_->parsed(); }
    Exit run(const robot::RobotConfig& config) const;

private:
    CLI::App* add_verb(const std::string& name, const std::string& about, std::string& config_path);
    Exit ask(const robot::RobotConfig& config) const;
    Exit list(const robot::RobotConfig& config) const;
    Exit remove(const robot::RobotConfig& config) const;
    Exit export_map(const robot::RobotConfig& config) const;
    Exit import_map(const robot::RobotConfig& config) const;

    CLI::App* parser_ = nullptr;
    std::string verb_;
    std::string name_;
    std::string at_;
    std::vector<std::string> corners_;
    std::string speed_;
    std::string folder_ = ".";
    std::string file_;
};

}  // namespace caribou::app
