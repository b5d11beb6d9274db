// `caribou logger`: logs variables, as pLogger does.

#include "bus/app_command_line.hpp"
#include "caribou/commands.hpp"
#include "caribou/logger_app.hpp"
#include "caribou/own_app.hpp"

namespace caribou::app {
namespace {

class LoggerCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        parser_ = program.add_subcommand("logger", "Log the variables of a mission, like pLogger");
        parser_->set_help_flag();  // the options are those of an app
        parser_->prefix_command();
        return parser_;
    }

    Exit run() override {
        const auto words = parser_->remaining();
        const auto line = bus::parse_app_command_line(words);
        const std::string mission = line ? line->mission.value_or("") : "";
        return run_own_app(words, {.name = LoggerApp::default_name}, [&](bus::AppFrame& frame, Network&) {
            return std::make_unique<LoggerApp>(frame, mission);
        });
    }

    std::unique_ptr<bus::App> make_app(bus::AppFrame& frame, Network&) const override {
        return std::make_unique<LoggerApp>(frame, "");
    }

private:
    CLI::App* parser_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> make_logger_command() { return std::make_unique<LoggerCommand>(); }

}  // namespace caribou::app
