// `caribou tree`: shows and tries behavior trees in files without a robot.

#include <optional>
#include <vector>

#include <fmt/format.h>

#include "caribou/commands.hpp"
#include "caribou/tree_commands.hpp"
#include "kit/robot/robot_ask.hpp"

namespace caribou::app {
namespace {

class TreeCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        parser_ = program.add_subcommand("tree", "Check, show, try and explain behavior trees");
        parser_->footer("See docs/behaviors.md for behaviors, docs/formats/behavior-tree.md for the files.");
        for (auto make : {make_tree_check_command, make_tree_show_command, make_tree_run_command,
                          make_tree_explain_command, make_tree_record_command, make_tree_replay_command,
                          make_tree_classes_command}) {
            auto verb = make();
            CLI::App* const parser = verb->add_to(*parser_);
            verbs_.push_back({std::move(verb), parser});
        }
        ask_.emplace(*parser_, link::CommandCode::behaviors,
                     "Send a request to a running robot: show, doing, why, facts, reset");
        return parser_;
    }

    Exit run() override {
        if (ask_->parsed()) return ask_->run();
        for (const Verb& verb : verbs_)
            if (verb.parser->parsed()) return verb.command->run();
        fmt::print("{}", parser_->help());
        return Exit::usage;
    }

private:
    struct Verb {
        std::unique_ptr<Command> command;
        CLI::App* parser;
    };
    CLI::App* parser_ = nullptr;
    std::vector<Verb> verbs_;
    std::optional<RobotAsk> ask_;
};

}  // namespace

std::unique_ptr<Command> make_tree_command() { return std::make_unique<TreeCommand>(); }

}  // namespace caribou::app
