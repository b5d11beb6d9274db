// How reliably a robot stops, and how fast it reacts to commands: bench_robot [METRIC...]. Real threads, with
// SCHED_FIFO where permitted.

#include "metrics.hpp"
#include "robot_figures.hpp"

int main(int argc, char** argv) {
    using namespace caribou::bench;
    // The last two end the program if they fail.
    constexpr Metric metrics[] = {
        {"deadman_ok", deadman_ok},
        {"stop_ok", stop_ok},
        {"order_to_motor", order_to_motor},
        {"command_to_motor", command_to_motor},
        {"sim_speedup", sim_speedup},
        {"day_s", day_s},
        {"dock_ok", dock_ok},
        {"pose_error_p95_cm", pose_error_p95_cm, true},
        {"explore_ok", explore_ok},
    };
    return measure("robot", metrics, Effort{}, {argv, static_cast<std::size_t>(argc)});
}
