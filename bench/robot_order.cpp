#include "base/random.hpp"
#include "give_up.hpp"
#include "robot_figures.hpp"
#include "robot_jitter.hpp"
#include "robot_probe.hpp"

namespace caribou::bench {
void order_to_motor(const Report& report, const Effort& effort) {
    BareRobot robot;
    TimerJitter jitter;
    Random random(1);
    std::vector<double> times;
    bool moving = false;
    for (const SteadyTime end = now() + std::chrono::duration_cast<SteadyTime::duration>(effort.per_side);
         now() < end;) {
        pause(std::chrono::microseconds(random.between(500, 5000)));
        moving = !moving;
        robot.motors.watch_for(MotorProbe::Event::other);
        const SteadyTime ordered = now();
        robot.order(moving ? 1 : 0);
        if (const auto noted = robot.motors.noted()) times.push_back(microseconds(*noted - ordered));
        // The order must be fully executed before the next one is given.
        if (!robot.motors.reaches(moving ? BareRobot::settings().creep_speed : 0.0))
            give_up("a robot does not do what it is told");
    }
    const auto late = jitter.take();
    report.add({"order_to_motor_p50_us", percentile(times, 0.50), "us", percentile(late, 0.50)});
    report.add({"order_to_motor_p99_us", percentile(times, 0.99), "us", percentile(late, 0.99)});
}

}  // namespace caribou::bench
