#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bus/app_settings.hpp"
#include "caribou/commands.hpp"
#include "kit/bus/app_main.hpp"

namespace caribou::app {

/// Runs an app that is a command of this program, with the words after the command.
Exit run_own_app(std::vector<std::string> words, bus::AppSettings defaults, NetworkAppMaker make);

/// A command that is an app with the command line of MOOS apps.
class AppCommand final : public Command {
public:
    struct About {
        const char* command;
        const char* what;
        const char* document;  ///< that describes it
        bus::AppSettings defaults;
        /// `mission` is the path of the mission file; empty if the command line has none.
        std::unique_ptr<bus::App> (*make)(bus::AppFrame&, const std::string& mission);
    };
    explicit AppCommand(About about) : about_(std::move(about)) {}

    CLI::App* add_to(CLI::App& program) override;
    Exit run() override;
    std::unique_ptr<bus::App> make_app(bus::AppFrame& frame, Network&,
                                       const std::string& mission) const override {
        return about_.make(frame, mission);
    }

private:
    About about_;
    CLI::App* parser_ = nullptr;
};

}  // namespace caribou::app
