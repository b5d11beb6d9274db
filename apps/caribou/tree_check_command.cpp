// `caribou tree check` and `caribou tree classes`: reports errors in files, and lists the available classes.

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "behavior/class_json.hpp"
#include "behavior/class_tables.hpp"
#include "behavior/stand_ins.hpp"
#include "caribou/tree_commands.hpp"
#include "kit/robot/behavior_programs.hpp"
#include "kit/robot/robot_start.hpp"
#include "kit/robot/tree_files.hpp"
#include "kit/robot/tree_world.hpp"
#include "platform/text_file.hpp"
#include "robot/config_schema.hpp"

namespace caribou::app {
namespace {

/// A robot for which trees are checked.
struct ConfiguredRobot {
    robot::RobotConfig config;
    std::vector<DescribedProgram> programs;
};

/// Reads a configuration, and starts its programs of behaviors for a moment.
Result<ConfiguredRobot> read_robot(const std::string& path) {
    const auto text = read_text_file(path, robot::max_config_size);
    if (!text) return fail(text.error());
    robot::ReadConfig read = robot::read_config(*text, path);
    if (!read.good()) return fail(Code::malformed, read.errors());
    auto programs = describe_programs(read.config);
    if (!programs) return fail(programs.error());
    return ConfiguredRobot{std::move(read.config), std::move(*programs)};
}

Exit complain(const std::string& why) {
    fmt::print(stderr, "{}{}", why, why.ends_with('\n') ? "" : "\n");
    return Exit::failed;
}

class TreeCheckCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* parser = program.add_subcommand("check", "Check whether a robot accepts a tree");
        parser->add_option("FILE", files_, "The files of one tree");
        parser->add_option("--stand-in", stand_ins_, "A class that only your robot has; may be repeated");
        CLI::Option* const robot =
            parser->add_option("--robot", robot_,
                               "Configuration of the robot that is to run it; without FILE, its own tree is "
                               "checked");
        parser
            ->add_flag(
                "--trial", trial_,
                "Also accept what only `caribou tree run` has: `say`, and actions that set facts of a robot")
            ->excludes(robot);
        return parser;
    }

    Exit run() override {
        for (const std::string& text : stand_ins_)
            if (const auto parsed = behavior::parse_stand_in(text); !parsed) {
                fmt::print(stderr, "caribou tree check: --stand-in: {}\n", parsed.error().message);
                return Exit::usage;
            }
        if (files_.empty() && robot_.empty()) {
            fmt::print(stderr, "caribou tree check: expected FILE or --robot\n");
            return Exit::usage;
        }
        std::optional<std::vector<std::string>> bus_variables;
        std::vector<DescribedProgram> programs;
        if (!robot_.empty()) {
            auto read = read_robot(robot_);
            if (!read) return complain(read.error().message);
            bus_variables = read->config.ai_bus_facts;
            programs = std::move(read->programs);
            if (files_.empty()) files_ = tree_paths(read->config);
            if (files_.empty()) {
                fmt::print("{} has the built-in tree, which is good\n", robot_);
                return Exit::ok;
            }
        }
        const auto error = std::make_shared<std::string>();
        const FakeWorld world(stand_ins_, trial_ ? TreeActions::of_trials : TreeActions::of_robots,
                              bus_variables, with_programs({}, std::move(programs), error));
        if (!error->empty()) return complain(*error);
        const auto loaded = load_tree_files(files_, world.classes());
        if (!loaded) return complain(loaded.error().message);
        fmt::print(stderr, "{}", to_string(loaded->warnings));
        fmt::print("{} behaviors, all reached from {}\n", loaded->tree->size(), loaded->base);
        return Exit::ok;
    }

private:
    std::vector<std::string> files_;
    std::vector<std::string> stand_ins_;
    std::string robot_;
    bool trial_ = false;
};

class TreeClassesCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser = program.add_subcommand("classes", "List the classes that files can name");
        parser->add_flag("--json", json_, "As JSON, for tools; otherwise as Markdown");
        parser->add_option("--robot", robot_,
                           "Configuration of a robot: also list the classes of its programs of behaviors");
        return parser;
    }
    Exit run() override {
        if (robot_.empty()) return list(FakeWorld({}));
        auto read = read_robot(robot_);
        if (!read) return complain(read.error().message);
        const auto error = std::make_shared<std::string>();
        const FakeWorld world({}, TreeActions::of_robots, read->config.ai_bus_facts,
                              with_programs({}, std::move(read->programs), error));
        return error->empty() ? list(world) : complain(*error);
    }

private:
    Exit list(const FakeWorld& world) const {
        if (json_)
            fmt::print("{}\n", behavior::class_json(world.classes()));
        else
            fmt::print("{}", behavior::class_tables(world.classes()));
        return Exit::ok;
    }

    bool json_ = false;
    std::string robot_;
};

}  // namespace

std::unique_ptr<Command> make_tree_check_command() { return std::make_unique<TreeCheckCommand>(); }
std::unique_ptr<Command> make_tree_classes_command() { return std::make_unique<TreeClassesCommand>(); }

}  // namespace caribou::app
