#include <ctime>

#include <fmt/format.h>

#include "give_up.hpp"
#include "robot/default_tree.hpp"
#include "robot/robot_classes.hpp"
#include "robot_figures.hpp"
#include "sim/robot_world.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

/// Returns the CPU seconds of a simulation of that length, as run by `caribou sim --seed 7 --trouble 0`.
double seconds_of(Duration life, const Report& report) {
    sim::RobotWorldOptions options{.time = life, .trouble = {}};
    options.tree = {{"default tree", std::string(robot::default_tree())}};
    options.add_classes = [](behavior::ClassRegistry& classes, robot::AiControl& control) {
        return robot::register_robot_classes(classes, control);
    };
    options.progress = [&](Duration lived) {
        if (lived % 2h < 1min) report.progress(fmt::format("{} of {} h lived", lived / 1h, life / 1h));
        return true;
    };
    const std::clock_t begin = std::clock();
    const sim::RobotWorldReport came = sim::RobotWorld(7, options).run();
    if (!came.violations.empty()) give_up(came.violations.front());
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

}  // namespace

void sim_speedup(const Report& report, const Effort&) {
    report.add({"sim_speedup", to_seconds(1h) / seconds_of(1h, report), "x"});
}

void day_s(const Report& report, const Effort&) { report.add({"day_s", seconds_of(24h, report), "s"}); }

}  // namespace caribou::bench
