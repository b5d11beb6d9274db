// `caribou tree check` and `caribou tree classes`: reports errors in files, and lists the available classes.

#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "behavior/class_tables.hpp"
#include "caribou/tree_commands.hpp"
#include "caribou/tree_files.hpp"
#include "caribou/tree_world.hpp"

namespace caribou::app {
namespace {

class TreeCheckCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* parser = program.add_subcommand("check", "Check whether a robot accepts a tree");
        parser->add_option("FILE", files_, "The files of one tree")->required();
        parser->add_option("--stand-in", stand_ins_, "A class that only your robot has; may be repeated");
        parser->add_flag("--trial", trial_, "Also accept the actions that only `caribou tree run` has");
        return parser;
    }

    Exit run() override {
        for (const std::string& name : stand_ins_)
            if (!behavior::is_class_name(name)) {
                fmt::print(stderr, "caribou tree check: --stand-in: `{}` is no name of a class\n", name);
                return Exit::usage;
            }
        const FakeWorld world(stand_ins_, trial_ ? TreeActions::of_trials : TreeActions::of_robots);
        const auto loaded = load_tree_files(files_, world.classes());
        if (!loaded) {
            fmt::print(stderr, "{}{}", loaded.error().message,
                       loaded.error().message.ends_with('\n') ? "" : "\n");
            return Exit::failed;
        }
        fmt::print("{} behaviors, all reached from {}\n", loaded->tree->size(), loaded->base);
        return Exit::ok;
    }

private:
    std::vector<std::string> files_;
    std::vector<std::string> stand_ins_;
    bool trial_ = false;
};

class TreeClassesCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        return program.add_subcommand("classes", "List the classes that files can name, as Markdown");
    }
    Exit run() override {
        fmt::print("{}", behavior::class_tables(FakeWorld({}).classes()));
        return Exit::ok;
    }
};

}  // namespace

std::unique_ptr<Command> make_tree_check_command() { return std::make_unique<TreeCheckCommand>(); }
std::unique_ptr<Command> make_tree_classes_command() { return std::make_unique<TreeClassesCommand>(); }

}  // namespace caribou::app
