#include "kit/robot/robot_main.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "kit/program/command_line.hpp"
#include "kit/robot/robot_program.hpp"
#include "kit/robot/tree_world.hpp"

namespace caribou {

int run_robot(int argc, char** argv, robot::AddOwnClasses setup) {
    const std::string name = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "robot";
    CLI::App parser("Run a robot with behaviors of its own: modes, motion and behaviors", name);
    parser.set_version_flag("--version", "caribou " CARIBOU_VERSION);
    app::RobotProgram program(name, setup);
    program.add_to(parser);
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    try {
        std::ranges::reverse(words);  // in the order required by CLI11
        parser.parse(std::move(words));
    } catch (const CLI::CallForHelp&) {
        return fmt::print("{}", app::help_of(parser)), 0;
    } catch (const CLI::CallForVersion& version) {
        return fmt::print("{}\n", version.what()), 0;
    } catch (const CLI::ParseError& error) {
        return static_cast<int>(app::explain(error, parser));
    }
    try {
        const app::FakeWorld trial({}, app::TreeActions::of_robots, std::nullopt, setup);
    } catch (const std::exception& thrown) {
        return fmt::print(stderr, "{}: error: setup threw: {}\n", name, thrown.what()), 1;
    }
    return static_cast<int>(program.run());
}

}  // namespace caribou
