// `caribou mission`: checks mission files, and expands templates of them.

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bus/mission.hpp"
#include "bus/mission_check.hpp"
#include "bus/share_plan.hpp"
#include "caribou/commands.hpp"
#include "caribou/mission_expand.hpp"
#include "caribou/own_blocks.hpp"
#include "caribou/stand_ins.hpp"
#include "kit/bus/mission_reader.hpp"

namespace caribou::app {
namespace {

class MissionCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        parser_ = program.add_subcommand("mission", "Check mission files and expand templates");
        parser_->footer("docs/formats/mission-file.md describes the format.");
        check_ = parser_->add_subcommand("check", "Report all errors in mission files");
        check_->add_option("FILE", files_, "Files to check, .moos or .toml")->required();
        check_->add_flag("--show", show_, "Print the contents with macros expanded");
        expand_.emplace(*parser_);
        return parser_;
    }

    Exit run() override {
        if (expand_->parsed()) return expand_->run();
        if (!check_->parsed()) {
            fmt::print("{}", parser_->help());
            return Exit::usage;
        }
        Exit worst = Exit::ok;
        for (const std::string& file : files_)
            if (!check_file(file)) worst = Exit::failed;
        return worst;
    }

private:
    bool check_file(const std::string& file) const {
        const auto mission = read_mission_file(file);
        if (!mission) {
            fmt::print(stderr, "caribou mission check: error: {}\n", mission.error().message);
            return false;
        }
        if (bus::is_share_plan(*mission)) return check_share_plan(*mission);
        auto findings = mission->findings;
        const auto check_block = [&](const bus::MissionBlock& block) {
            return check_own_block(*mission, block);
        };
        for (auto& finding : bus::check_mission(*mission, check_block))
            findings.push_back(std::move(finding));
        for (auto& finding : missing_programs(*mission)) findings.push_back(std::move(finding));
        for (const auto& finding : findings)
            fmt::print(stderr, "{}\n", bus::to_string(mission->path, finding));
        if (show_) show(*mission);
        if (bus::has_errors(findings)) return false;
        fmt::print("{}: {} global settings, {} blocks\n", file, mission->settings.size(),
                   mission->blocks.size());
        return true;
    }

    static bool check_share_plan(const bus::Mission& mission) {
        const auto plan = bus::plan_share(mission);
        if (!plan) {
            fmt::print(stderr, "{}\n", plan.error().message);
            return false;
        }
        fmt::print("{}: {} communities, {} routes\n", mission.path, plan->peers.size(), plan->routes.size());
        return true;
    }

    static void show(const bus::Mission& mission) {
        for (const auto& setting : mission.settings)
            fmt::print("{:>5}  {} = {}\n", setting.line, setting.key, setting.value);
        for (const auto& block : mission.blocks) {
            fmt::print("{:>5}  {}\n", block.line, block.name);
            for (const auto& setting : block.settings)
                fmt::print("{:>5}    {} = {}\n", setting.line, setting.key, setting.value);
        }
    }

    CLI::App* parser_ = nullptr;
    CLI::App* check_ = nullptr;
    std::optional<MissionExpand> expand_;
    std::vector<std::string> files_;
    bool show_ = false;
};

}  // namespace

std::unique_ptr<Command> make_mission_command() { return std::make_unique<MissionCommand>(); }

}  // namespace caribou::app
