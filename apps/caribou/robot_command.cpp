// `caribou robot`: the on-board agent.

#include <memory>

#include "caribou/commands.hpp"
#include "kit/robot/robot_program.hpp"

namespace caribou::app {
namespace {

class RobotCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser = program.add_subcommand(
            "robot", "Run a robot: modes, motion and behaviors, with a simulated or a real body");
        robot_.add_to(*parser);
        parser->footer(
            "Examples:\n"
            "  caribou robot --config examples/robots/explorer.toml\n"
            "  caribou robot stop --config examples/robots/explorer.toml\n"
            "  caribou robot release --config examples/robots/explorer.toml\n"
            "  caribou robot --self-check --config examples/robots/my_base.toml\n"
            "The exit status is 0 after a signal, and 10 after RM0, when a supervisor must not restart it.\n"
            "See docs/robot.md for modes and commands, docs/safety.md for what is guaranteed.");
        return parser;
    }
    Exit run() override { return robot_.run(); }

private:
    RobotProgram robot_{"caribou robot"};
};

}  // namespace

std::unique_ptr<Command> make_robot_command() { return std::make_unique<RobotCommand>(); }

}  // namespace caribou::app
