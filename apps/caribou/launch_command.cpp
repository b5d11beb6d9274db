// `caribou launch`: starts a community, and stops it on Ctrl-C.

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/limits.hpp"
#include "bus/launch_plan.hpp"
#include "bus/mission_override.hpp"
#include "bus/supervisor.hpp"
#include "caribou/commands.hpp"
#include "caribou/own_blocks.hpp"
#include "caribou/stand_ins.hpp"
#include "kit/bus/mission_reader.hpp"
#include "kit/program/number_from.hpp"
#include "loop/warp.hpp"
#include "platform/environment.hpp"
#include "platform/event_loop.hpp"
#include "platform/scratch_folder.hpp"
#include "platform/system_processes.hpp"
#include "platform/terminal.hpp"
#include "platform/text_file.hpp"

namespace caribou::app {
namespace {

/// Prints the output of the programs, each line with the name of its program.
class Transcript final : public bus::LaunchEvents {
public:
    Transcript(const bus::LaunchPlan& plan, EventLoop& loop) : loop_(loop) {
        for (const auto& program : plan.programs) names_.push_back(program.name);
        for (const std::string& name : names_) width_ = std::max(width_, name.size());
    }

    void on_line(std::size_t program, std::string_view line) override { print(program, '|', line); }
    void on_note(std::size_t program, std::string_view note) override { print(program, '*', note); }
    void on_over() override { loop_.stop(); }

private:
    void print(std::size_t program, char mark, std::string_view text) const {
        constexpr std::array colours{36, 33, 32, 35, 34, 31, 96, 93, 92, 95, 94, 91};
        if (coloured_)
            fmt::print("\x1b[{}m{:<{}} {}\x1b[0m {}\n", colours[program % colours.size()], names_[program],
                       width_, mark, text);
        else
            fmt::print("{:<{}} {} {}\n", names_[program], width_, mark, text);
        std::fflush(stdout);
    }

    EventLoop& loop_;
    std::vector<std::string> names_;
    std::size_t width_ = 0;
    bool coloured_ = stdout_is_terminal() && environment("NO_COLOR").value_or("").empty();
};

class LaunchCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* parser =
            program.add_subcommand("launch", "Start the programs of a mission, and stop them together");
        parser->add_option("MISSION", file_, "Mission file with a block ANTLER, or TOML with [[program]]")
            ->required();
        parser->add_flag("--dry-run", dry_run_, "Print what would be started");
        warp_option_ =
            parser
                ->add_option(
                    "--warp,--time-warp,--moos_time_warp,--MOOSTimeWarp", warp_,
                    "Time warp of all programs, which receive a copy of the mission file, MISSION++, with "
                    "this MOOSTimeWarp (in a temporary folder if the mission's cannot be written to)")
                ->check(number_from(0.01, Warp::max_factor));
        parser->footer(
            "Exits when all programs have exited, or on Ctrl-C or SIGTERM, which stops the programs: those\n"
            "still running after the grace period are killed. Exit status: 0 if all programs succeeded, 1 "
            "if\n"
            "some failed (they are listed) or the mission file has errors. See docs/launch.md.");
        return parser;
    }

    Exit run() override {
        if (auto written = apply_warp(); !written) {
            fmt::print(stderr, "caribou launch: error: {}\n", written.error().message);
            return Exit::usage;
        }
        const auto plan = read_plan();
        if (!plan) {
            fmt::print(stderr, "caribou launch: {}\n", plan.error().message);
            return Exit::failed;
        }
        for (const auto& warning : plan->warnings) fmt::print(stderr, "{}\n", bus::to_string(file_, warning));
        if (dry_run_) {
            print_findings_of_blocks();
            for (const auto& program : plan->programs)
                fmt::print("{}: {}\n", program.name, fmt::join(program.words, " "));
            return Exit::ok;
        }
        return supervise(*plan);
    }

private:
    /// Writes the modified copy of the mission file for --warp, which is then used as the mission file:
    /// beside it, or in a temporary folder if that cannot be written to. With --dry-run nothing is written.
    Result<void> apply_warp() {
        if (warp_option_->count() == 0) return {};
        if (file_.ends_with(".toml"))
            return fail(Code::invalid_argument, "--warp needs a .moos file; set MOOSTimeWarp in " + file_);
        const auto text = read_text_file(file_, 4_MiB);
        if (!text) return fail(text.error());
        warped_text_ = bus::override_global(*text, "MOOSTimeWarp", fmt::format("{:g}", warp_));
        const std::string name = file_ + "++";
        if (dry_run_ || write_text_file(name, *warped_text_)) {
            file_ = name;
            return {};
        }
        auto folder = ScratchFolder::make("caribou-launch");
        if (!folder) return fail(std::move(folder.error()));
        folder_ = std::move(*folder);
        file_ = (folder_->path() / std::filesystem::path(name).filename()).string();
        fmt::print(stderr, "caribou launch: cannot write {}; the copy is {}\n", name, file_);
        return write_text_file(file_, *warped_text_);
    }

    Result<bus::Mission> read_mission() const {
        if (!warped_text_) return read_mission_file(file_);
        return bus::parse_mission(*warped_text_, file_,
                                  [](std::string_view name) { return environment(std::string(name)); });
    }

    Result<bus::LaunchPlan> read_plan() const {
        const auto mission = read_mission();
        if (!mission) return fail(mission.error());
        std::error_code failed;
        const auto link = std::filesystem::read_symlink("/proc/self/exe", failed);
        const std::string self = failed ? "caribou" : link.string();
        auto plan = bus::plan_launch(*mission, {self, "db"});
        if (!plan) return plan;
        for (bus::LaunchProgram& program : plan->programs) replace_missing(program, self);
        std::erase_if(plan->programs, is_left_out);
        return plan;
    }

    /// Prints the problems that the programs started otherwise report themselves.
    void print_findings_of_blocks() const {
        const auto mission = read_mission();
        if (!mission) return;
        for (const bus::MissionBlock& block : mission->blocks)
            if (const auto findings = check_own_block(*mission, block))
                for (const auto& finding : *findings)
                    fmt::print(stderr, "{}\n", bus::to_string(file_, finding));
        for (const auto& finding : missing_programs(*mission))
            fmt::print(stderr, "{}\n", bus::to_string(file_, finding));
    }

    /// Returns whether a program is left out, after a hint.
    static bool is_left_out(const bus::LaunchProgram& program) {
        const auto instead = left_out_for(program);
        if (instead)
            fmt::print(stderr, "caribou launch: {} is not installed and is left out; use {} instead\n",
                       program.name, *instead);
        return instead.has_value();
    }

    static Exit supervise(const bus::LaunchPlan& plan) {
        EventLoop loop;
        loop.stop_on_signals({SIGINT, SIGTERM, SIGHUP});
        SystemProcesses processes(loop);
        Transcript transcript(plan, loop);
        bus::Supervisor supervisor(loop, processes, plan, transcript);
        supervisor.start();
        loop.run();
        if (!supervisor.over()) {
            supervisor.stop();
            loop.run_until([&] { return supervisor.over(); }, plan.grace + std::chrono::seconds(5));
        }
        const auto failures = supervisor.failures();
        if (failures.empty()) return Exit::ok;
        fmt::print(stderr, "caribou launch: error: failed: {}\n", fmt::join(failures, ", "));
        return Exit::failed;
    }

    std::string file_;
    CLI::Option* warp_option_ = nullptr;
    double warp_ = 1;
    bool dry_run_ = false;
    std::optional<std::string> warped_text_;
    std::unique_ptr<ScratchFolder> folder_;
};

}  // namespace

std::unique_ptr<Command> make_launch_command() { return std::make_unique<LaunchCommand>(); }

}  // namespace caribou::app
