// `caribou sim`: whole robots with their station under one virtual clock, and trouble from a seed.

#include <string>

#include <fmt/format.h>

#include "caribou/commands.hpp"
#include "caribou/quantity.hpp"
#include "loop/duration_text.hpp"
#include "map/map_picture.hpp"
#include "platform/png_file.hpp"
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
            "sim", "Whole robots, their station and their world, faster than life, with trouble from a seed");
        parser->add_option("--seed", seed_, "The number that decides everything")->capture_default_str();
        parser->add_option("--seeds", seeds_, "As many runs, from --seed on; ends at the first that fails")
            ->check(CLI::Range(1, 1'000'000))
            ->capture_default_str();
        hours_given_ = parser->add_option("--hours", hours_, "Simulated time of a run")
                           ->check(CLI::Range(0.001, 10'000.0))
                           ->capture_default_str();
        robots_given_ = parser->add_option("--robots", robots_, "How many")
                            ->check(CLI::Range(1, 1000))
                            ->capture_default_str();
        parser->add_option("--world", world_, "Where they are, a world file; else a room from the seed");
        trouble_given_ =
            parser->add_option("--trouble", trouble_, "Seconds between troubles on average; 0: none")
                ->check(CLI::Range(0.0, 1e6))
                ->capture_default_str();
        parser->add_option("--scenario", scenario_,
                           "A file with troubles at their times, docs/formats/scenario.md");
        parser->add_option("--png", png_, "Draw what was seen into this file");
        parser->add_flag("--trace", trace_, "Tell everything that happens");
        parser->footer(
            "After every step of 100 ms the promises of docs/simulation.md are checked. Ends with 1 if one "
            "was\n"
            "broken, and prints the command that shows it again.\n"
            "Examples:\n"
            "  caribou sim --seed 7 --hours 24                one robot's day\n"
            "  caribou sim --seeds 1000 --hours 0.01          a thousand short lives\n"
            "  caribou sim --trouble 0 --hours 0.2 --png map.png");
        return parser;
    }

    Exit run() override {
        sim::RobotWorldOptions options{.robots = robots_, .time = from_seconds(hours_ * 3600)};
        if (!read_files(options)) return Exit::failed;
        options.tree = {{"default tree", std::string(robot::default_tree())}};
        options.add_classes = [](behavior::ClassRegistry& classes, robot::AiControl& control) {
            return robot::register_robot_classes(classes, control);
        };
        if (trace_) options.trace = [](std::string_view line) { fmt::print("{}\n", line); };
        for (std::uint64_t seed = seed_; seed < seed_ + seeds_; ++seed)
            if (const Exit end = run_one(seed, options); end != Exit::ok) return end;
        if (seeds_ > 1) fmt::print("{} runs, and no promise was broken\n", count_text(seeds_));
        return Exit::ok;
    }

private:
    Exit run_one(std::uint64_t seed, sim::RobotWorldOptions options) const {
        const bool shows = stderr_is_terminal() && !trace_;
        const SystemClock clock;
        const Instant began = clock.now();
        if (shows && seeds_ == 1)
            options.progress = [time = options.time](Duration done) {
                fmt::print(stderr, "\r{} of {}\x1b[K", duration_text(done), duration_text(time));
            };
        if (shows && seeds_ > 1) fmt::print(stderr, "\rseed {}\x1b[K", seed);
        sim::RobotWorld world(seed, std::move(options));
        const sim::RobotWorldReport report = world.run();
        const double took = to_seconds(clock.now() - began);
        if (shows) fmt::print(stderr, "\r\x1b[K");
        if (seeds_ == 1 || !report.violations.empty()) fmt::print("{}", to_string(report));
        if (seeds_ == 1)
            fmt::print("  {:.1f} s of computing: {:.0f} times faster than life\n", took,
                       to_seconds(report.time) / took);
        if (!png_.empty() && !draw(world)) return Exit::failed;
        if (report.violations.empty()) return Exit::ok;
        fmt::print(stderr, "caribou sim: a promise was broken; this shows it again:\n  {}\n", again(seed));
        return Exit::failed;
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

    std::string again(std::uint64_t seed) const {
        std::string command = fmt::format("caribou sim --seed {} --trace", seed);
        if (*hours_given_) command += fmt::format(" --hours {}", hours_);
        if (*robots_given_) command += fmt::format(" --robots {}", robots_);
        if (*trouble_given_) command += fmt::format(" --trouble {}", trouble_);
        if (!world_.empty()) command += " --world " + world_;
        if (!scenario_.empty()) command += " --scenario " + scenario_;
        return command;
    }

    /// What files say; the command line has the last word.
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
};

}  // namespace

std::unique_ptr<Command> make_sim_command() { return std::make_unique<SimCommand>(); }

}  // namespace caribou::app
