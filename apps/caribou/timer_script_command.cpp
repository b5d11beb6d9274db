// `caribou timer-script`: publishes values at times, as uTimerScript does.

#include "caribou/commands.hpp"
#include "caribou/own_app.hpp"
#include "caribou/timer_script_app.hpp"

namespace caribou::app {
namespace {

class TimerScriptCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        parser_ = program.add_subcommand("timer-script", "Publish values at times, from a script");
        parser_->set_help_flag();  // the options are those of an app
        parser_->prefix_command();
        return parser_;
    }

    Exit run() override {
        return run_own_app(
            parser_->remaining(), {.name = TimerScriptApp::default_name},
            [](bus::AppFrame& frame, Network&) { return std::make_unique<TimerScriptApp>(frame); });
    }

    std::unique_ptr<bus::App> make_app(bus::AppFrame& frame, Network&) const override {
        return std::make_unique<TimerScriptApp>(frame);
    }

private:
    CLI::App* parser_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> make_timer_script_command() { return std::make_unique<TimerScriptCommand>(); }

}  // namespace caribou::app
