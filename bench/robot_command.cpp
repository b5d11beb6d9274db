#include <memory>

#include "base/random.hpp"
#include "robot/played_station.hpp"
#include "robot_figures.hpp"
#include "robot_jitter.hpp"
#include "robot_whole.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

/// A station connected to a robot.
class Driver {
public:
    Driver() {
        if (!thread_.thread.start()) give_up("the machine gives no more threads");
        robot_ = std::make_unique<WholeRobot>(played_.address().port);
        for (int tries = 0; !robot_->may_move(); ++tries) {
            if (tries == 100) give_up("the robot does not enter RM3");
            const std::uint16_t port = robot_->receive_port();
            thread_.strand.post_here([this, port] {
                if (port != 0 && !played_.connected()) played_.dial(port);
            });
            pause(100ms);
        }
    }
    ~Driver() {
        robot_.reset();
        thread_.thread.stop();
    }
    Driver(const Driver&) = delete;
    Driver& operator=(const Driver&) = delete;

    /// Returns when the command was passed to the socket.
    SteadyTime send(std::string_view command) {
        return thread_.call([&] {
            const SteadyTime sent = now();
            played_.send(command);
            return sent;
        });
    }
    MotorProbe& motors() { return robot_->motors; }

private:
    NullLog log_;
    OwnThread thread_{"station", log_};
    robot::PlayedStation played_{thread_.thread.loop(), thread_.network};
    std::unique_ptr<WholeRobot> robot_;
};

}  // namespace

void command_to_motor(const Report& report, const Effort& effort) {
    Driver driver;
    TimerJitter jitter;
    Random random(1);
    std::vector<double> times;
    bool moving = false;
    for (const SteadyTime end = now() + std::chrono::duration_cast<SteadyTime::duration>(effort.per_side);
         now() < end;) {
        pause(std::chrono::microseconds(random.between(500, 5000)));
        moving = !moving;
        driver.motors().watch_for(MotorProbe::Event::other);
        const SteadyTime sent = driver.send(moving ? "move_forward level=1" : "move movement=HALT");
        if (const auto noted = driver.motors().noted()) times.push_back(microseconds(*noted - sent));
        if (!driver.motors().reaches(moving ? BareRobot::settings().creep_speed : 0.0))
            give_up("a robot does not do what it is told");
    }
    const auto late = jitter.take();
    report.add({"command_to_motor_p50_us", percentile(times, 0.50), "us", percentile(late, 0.50)});
    report.add({"command_to_motor_p99_us", percentile(times, 0.99), "us", percentile(late, 0.99)});
}

}  // namespace caribou::bench
