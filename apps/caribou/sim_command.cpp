// `caribou sim`: simulates complete robots and their station on a virtual clock, with faults from a seed.

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "adapters/png/png_file.hpp"
#include "caribou/commands.hpp"
#include "caribou/quantity.hpp"
#include "kit/program/number_from.hpp"
#include "loop/duration_text.hpp"
#include "map/map_picture.hpp"
#include "platform/event_loop.hpp"
#include "platform/system_clock.hpp"
#include "platform/terminal.hpp"
#include "platform/text_file.hpp"
#include "robot/default_tree.hpp"
#include "robot/robot_classes.hpp"
#include "sim/robot_world.hpp"
#include "sim/scenario.hpp"
#include "world/world_reader.hpp"

namespace caribou::app {
namespace {

class SimCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser = program.add_subcommand(
            "sim", "Simulate whole robots, their station and their world, with faults from a seed");
        parser->add_option("--seed", seed_, "Seed of everything random")
            ->check(whole_number_from(0, max_seed))
            ->capture_default_str();
        CLI::Option* const seeds =
            parser->add_option("--seeds", seeds_, "Number of runs, with the seeds from --seed on")
                ->check(whole_number_from(1, 1'000'000))
                ->capture_default_str();
        parser->add_flag("--soak", soaks_, "Run one seed after another until stopped (Ctrl-C)")
            ->excludes(seeds);
        hours_given_ = parser->add_option("--hours", hours_, "Simulated time of a run")
                           ->check(number_from(0.001, 10'000))
                           ->capture_default_str();
        robots_given_ = parser->add_option("--robots", robots_, "Number of robots")
                            ->check(whole_number_from(1, 1000))
                            ->capture_default_str();
        parser->add_option("--world", world_, "World file; default: a random room");
        trouble_given_ = parser->add_option("--trouble", trouble_, "Mean seconds between two faults; 0: none")
                             ->check(number_from(0, 1'000'000))
                             ->capture_default_str();
        parser->add_option("--scenario", scenario_,
                           "File with faults and their times; see docs/formats/scenario.md");
        parser->add_option("--png", png_, "Draw the map and the trails into this file");
        parser->add_flag("--trace", trace_, "Print everything that happens");
        parser->footer(
            "The promises of docs/simulation.md are checked after every step of 100 ms. If one was broken, "
            "the\n"
            "exit status is 1, after all runs, and the commands that repeat the failures are printed.\n"
            "Examples:\n"
            "  caribou sim --seed 7 --hours 24                one robot's day\n"
            "  caribou sim --seeds 100 --hours 0.1            a hundred lives of six minutes\n"
            "  caribou sim --trouble 0 --hours 0.2 --png map.png");
        return parser;
    }

    Exit run() override {
        sim::RobotWorldOptions options{.robots = robots_, .time = from_seconds(hours_ * 3600)};
        if (!read_files(options)) return Exit::failed;
        if (const auto folder = std::filesystem::path(png_).parent_path();
            !folder.empty() && !std::filesystem::is_directory(folder)) {
            fmt::print(stderr, "caribou sim: --png: there is no folder {}\n", folder.string());
            return Exit::failed;
        }
        options.tree = {{"default tree", std::string(robot::default_tree())}};
        options.add_classes = [](behavior::ClassRegistry& classes, robot::AiControl& control) {
            return robot::register_robot_classes(classes, control);
        };
        if (trace_) options.trace = [](std::string_view line) { fmt::print("{}\n", line); };
        if (is_series()) loop_.emplace().stop_on_signals({SIGINT, SIGTERM});
        for (std::uint64_t seed = seed_; !canceled_ && (soaks_ || seed - seed_ < seeds_); ++seed)
            if (!run_one(seed, options)) return Exit::failed;
        if (is_series()) print_summary();
        for (const Failure& failure : failures_)
            fmt::print(stderr, "caribou sim: a promise was broken: {}\n  to repeat: {}\n", failure.what,
                       again(failure.seed));
        return failures_.empty() ? Exit::ok : Exit::failed;
    }

private:
    struct Failure {
        std::uint64_t seed;
        std::string what;
    };

    bool is_series() const { return soaks_ || seeds_ > 1; }

    /// Returns false if the picture could not be written.
    bool run_one(std::uint64_t seed, sim::RobotWorldOptions options) {
        const SystemClock clock;
        const Instant began = clock.now();
        options.progress = [this, seed, time = options.time](Duration done) {
            show_progress(seed, done, time);
            return !is_series() || goes_on();
        };
        show_progress(seed, {}, options.time);
        sim::RobotWorld world(seed, std::move(options));
        const sim::RobotWorldReport report = world.run();
        const double took = to_seconds(clock.now() - began);
        if (shows_progress()) fmt::print(stderr, "\r\x1b[K");
        simulated_ += report.time * static_cast<std::int64_t>(report.robots.size());
        runs_ += report.canceled ? 0 : 1;
        canceled_ = report.canceled || (is_series() && !goes_on());
        if (!report.violations.empty()) failures_.push_back({seed, report.violations.front()});
        if (!is_series() || !report.violations.empty()) fmt::print("{}", to_string(report));
        if (soaks_ && !report.canceled && report.violations.empty())
            fmt::print("seed {}: {}, no promise was broken ({:.1f} s)\n", seed, duration_text(report.time),
                       took);
        if (!is_series())
            fmt::print("  {:.1f} s of computing: {:.0f} times faster than real time\n", took,
                       to_seconds(report.time) / took);
        if (is_series() && !report.violations.empty()) fmt::print("  to repeat: {}\n", again(seed));
        std::fflush(stdout);
        return png_.empty() || draw(world);
    }

    bool shows_progress() const { return stderr_is_terminal() && !trace_; }

    void show_progress(std::uint64_t seed, Duration done, Duration time) const {
        if (!shows_progress()) return;
        fmt::print(stderr, "\r");
        if (is_series())
            fmt::print(stderr, "{} runs, {:.1f} robot hours, {} failed; ", count_text(runs_),
                       to_seconds(simulated_) / 3600, failures_.size());
        fmt::print(stderr, "seed {}: {} of {}\x1b[K", seed, duration_text(done), duration_text(time));
    }

    void print_summary() const {
        fmt::print("{} runs from seed {} on, {:.1f} robot hours: ", count_text(runs_), seed_,
                   to_seconds(simulated_) / 3600);
        if (failures_.empty())
            fmt::print("no promise was broken\n");
        else
            fmt::print("{} broke a promise\n", failures_.size());
    }

    /// Returns false once a signal has requested the end.
    bool goes_on() {
        const auto ran = std::make_shared<bool>(false);
        loop_->post([ran] { *ran = true; });
        return loop_->run_until([ran] { return *ran; }, std::chrono::seconds(1));
    }

    bool draw(sim::RobotWorld& world) const {
        map::MapMarks marks;
        for (world::RobotId robot = 0; robot < world.world().robot_count(); ++robot)
            marks.robots.push_back(world.world().pose(robot));
        if (world.trails().size() == 1) marks.trail = world.trails().front();
        const auto written = write_png(png_, map::picture(world.seen(), marks));
        if (!written) fmt::print(stderr, "caribou sim: {}\n", written.error().message);
        return written.has_value();
    }

    /// Returns the command line that repeats one run with a full trace.
    std::string again(std::uint64_t seed) const {
        std::string command = fmt::format("caribou sim --seed {} --trace", seed);
        if (*hours_given_) command += fmt::format(" --hours {}", hours_);
        if (*robots_given_) command += fmt::format(" --robots {}", robots_);
        if (*trouble_given_) command += fmt::format(" --trouble {}", trouble_);
        if (!world_.empty()) command += " --world " + world_;
        if (!scenario_.empty()) command += " --scenario " + scenario_;
        return command;
    }

    /// Reads the options of files; the command line has precedence.
    bool read_files(sim::RobotWorldOptions& options) const {
        double trouble = trouble_;
        if (!scenario_.empty()) {
            auto scenario = read<sim::Scenario>(scenario_, sim::read_scenario);
            if (!scenario) return false;
            if (scenario->robots && !*robots_given_) options.robots = *scenario->robots;
            if (scenario->time && !*hours_given_) options.time = *scenario->time;
            if (scenario->trouble && !*trouble_given_) trouble = to_seconds(*scenario->trouble);
            options.script = std::move(scenario->script);
            options.faults = std::move(scenario->faults);
        }
        options.trouble.reset();
        if (trouble > 0) options.trouble = from_seconds(trouble);
        if (world_.empty()) return true;
        options.plan = read<world::WorldPlan>(world_, world::read_world);
        return options.plan.has_value();
    }

    template <class Content, class Reader>
    static std::optional<Content> read(const std::string& path, Reader reader) {
        auto text = read_text_file(path);
        if (!text) {
            fmt::print(stderr, "caribou sim: {}\n", text.error().message);
            return std::nullopt;
        }
        auto content = reader(NamedText{path, std::move(*text)});
        if (content) return std::move(*content);
        fmt::print(stderr, "{}", to_string(content.error()));
        return std::nullopt;
    }

    static constexpr std::uint64_t max_seed = 1'000'000'000'000'000'000;

    std::optional<EventLoop> loop_;  ///< of a series, for its signals
    CLI::Option* hours_given_ = nullptr;
    CLI::Option* robots_given_ = nullptr;
    CLI::Option* trouble_given_ = nullptr;
    std::uint64_t seed_ = 1;
    std::uint64_t seeds_ = 1;
    double hours_ = 1;
    std::size_t robots_ = 1;
    double trouble_ = 10;
    std::string world_;
    std::string scenario_;
    std::string png_;
    bool trace_ = false;
    bool soaks_ = false;

    bool canceled_ = false;
    std::uint64_t runs_ = 0;  ///< completed
    Duration simulated_{};    ///< sum over all robots
    std::vector<Failure> failures_;
};

}  // namespace

std::unique_ptr<Command> make_sim_command() { return std::make_unique<SimCommand>(); }

}  // namespace caribou::app
