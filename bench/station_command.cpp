#include <memory>

#include "base/random.hpp"
#include "robot_jitter.hpp"
#include "robot_whole.hpp"
#include "station/fleet.hpp"
#include "station_figures.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

/// A station on its own thread.
class StationThread final : public station::SessionEvents {
public:
    StationThread() {
        if (!own_.thread.start()) give_up("the machine gives no more threads");
        own_.call([this] {
            fleet_ = std::make_unique<station::Fleet>(own_.thread.loop(), own_.network,
                                                      station::FleetSettings{}, *this, log_);
            address_ = fleet_->listen(Address::ip("127.0.0.1", 0)).value();
            return true;
        });
    }
    ~StationThread() {
        own_.call([this] {
            fleet_.reset();
            return true;
        });
        own_.thread.stop();
    }
    StationThread(const StationThread&) = delete;
    StationThread& operator=(const StationThread&) = delete;

    const Address& address() const { return address_; }
    /// Returns when the command was passed on.
    SteadyTime send(std::string_view text) {
        return own_.call([&] {
            const SteadyTime sent = now();
            const auto& robots = fleet_->sessions();
            if (robots.empty()) give_up("the robot has not called");
            robots.begin()->second->send(link::command_from(text).value(), {"bench", link::Role::admin},
                                         [](const link::Answer&) {});
            return sent;
        });
    }

private:
    void on_status(station::RobotSession&) override {}
    void on_telemetry(station::RobotSession&) override {}
    void on_report(station::RobotSession&, std::string_view) override {}
    void on_command(station::RobotSession&, const link::Command&, const station::Asker&) override {}
    void on_answer(station::RobotSession&, const link::Answer&) override {}

    NullLog log_;
    OwnThread own_{"station", log_};
    std::unique_ptr<station::Fleet> fleet_;
    Address address_;
};

}  // namespace

void command_p99_ms(const Report& report, const Effort& effort) {
    StationThread station;
    WholeRobot robot(station.address().port);
    for (int tries = 0; !robot.may_move(); ++tries) {
        if (tries == 100) give_up("the robot does not enter RM3");
        pause(100ms);
    }
    TimerJitter jitter;
    Random random(1);
    std::vector<double> times;
    bool moving = false;
    for (const SteadyTime end = now() + std::chrono::duration_cast<SteadyTime::duration>(effort.per_side);
         now() < end;) {
        pause(std::chrono::microseconds(random.between(500, 5000)));
        moving = !moving;
        robot.motors.watch_for(MotorProbe::Event::other);
        const SteadyTime sent = station.send(moving ? "move_forward level=1" : "move movement=HALT");
        if (const auto noted = robot.motors.noted()) times.push_back(microseconds(*noted - sent) / 1e3);
        if (!robot.motors.reaches(moving ? BareRobot::settings().creep_speed : 0.0))
            give_up("a robot does not do what it is told");
    }
    const auto late = jitter.take();
    report.add({"command_p50_ms", percentile(times, 0.50), "ms", percentile(late, 0.50) / 1e3});
    report.add({"command_p99_ms", percentile(times, 0.99), "ms", percentile(late, 0.99) / 1e3});
}

}  // namespace caribou::bench
