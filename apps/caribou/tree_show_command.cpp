// `caribou tree show`: prints a tree as an outline, for Graphviz, as a picture, or as one file.

#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "behavior/tree_picture.hpp"
#include "behavior/tree_writer.hpp"
#include "caribou/tree_commands.hpp"
#include "kit/robot/tree_files.hpp"
#include "kit/robot/tree_world.hpp"

namespace caribou::app {
namespace {

class TreeShowCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* parser = program.add_subcommand("show", "Draw a tree");
        parser->add_option("FILE", files_, "The files of one tree")->required();
        CLI::Option* dot = parser->add_flag("--dot", dot_, "Print Graphviz input instead of an outline");
        CLI::Option* svg = parser->add_flag("--svg", svg_, "Print a picture")->excludes(dot);
        parser->add_flag("--json", json_, "Print one tree file")->excludes(dot)->excludes(svg);
        return parser;
    }

    Exit run() override {
        const FakeWorld world({});
        const auto loaded = load_tree_files(files_, world.classes());
        if (!loaded) {
            fmt::print(stderr, "{}{}", loaded.error().message,
                       loaded.error().message.ends_with('\n') ? "" : "\n");
            return Exit::failed;
        }
        const auto draw = svg_ ? behavior::svg_of : dot_ ? behavior::dot_of : behavior::outline_of;
        fmt::print("{}", json_ ? behavior::write_tree(loaded->plan) : draw(loaded->plan, world.classes()));
        return Exit::ok;
    }

private:
    std::vector<std::string> files_;
    bool dot_ = false;
    bool svg_ = false;
    bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_tree_show_command() { return std::make_unique<TreeShowCommand>(); }

}  // namespace caribou::app
