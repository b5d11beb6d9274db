#include <future>
#include <memory>

#include "base/random.hpp"
#include "cubes/no_radio.hpp"
#include "give_up.hpp"
#include "platform/socket_network.hpp"
#include "platform/thread_strand.hpp"
#include "robot/motion_inbox.hpp"
#include "robot/played_station.hpp"
#include "robot/robot.hpp"
#include "robot_figures.hpp"
#include "robot_jitter.hpp"
#include "robot_probe.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

struct OwnThread {
    OwnThread(const std::string& name, Log& log)
        : thread({.name = name}, log), strand(thread.loop()), network(thread.loop(), log) {}

    /// What the function returns on that thread.
    template <class Function>
    auto call(Function function) {
        std::promise<decltype(function())> promise;
        strand.post_here([&] { promise.set_value(function()); });
        return promise.get_future().get();
    }

    NamedThread thread;
    ThreadStrand strand;
    SocketNetwork network;
};

/// A robot with every thread on its own, and a station that has connected to it.
class WholeRobot {
public:
    WholeRobot() {
        bool started = true;
        for (OwnThread* const each : threads_) started = started && each->thread.start();
        main_.strand.post_here([this] { robot_.start(); });
        if (!started || !propulsion_.start()) give_up("the machine gives no more threads");
        for (int tries = 0; !propulsion_.report().permit.motors; ++tries) {
            if (tries == 100) give_up("the robot does not enter RM3");
            const std::uint16_t port = main_.call([this] { return robot_.main().receive_port(); });
            station_.strand.post_here([this, port] {
                if (port != 0 && !played_.connected()) played_.dial(port);
            });
            pause(100ms);
        }
    }
    ~WholeRobot() {
        propulsion_.stop();
        for (auto each = threads_.rbegin(); each != threads_.rend(); ++each) (*each)->thread.stop();
        robot_.stop_ai();
        robot_.stop_receiver("the benchmark is over");
        robot_.stop_transmission();
        robot_.stop_telemetry();
    }
    WholeRobot(const WholeRobot&) = delete;
    WholeRobot& operator=(const WholeRobot&) = delete;

    /// When it was handed to the socket.
    SteadyTime send(std::string_view command) {
        return station_.call([&] {
            const SteadyTime sent = now();
            played_.send(command);
            return sent;
        });
    }

    MotorProbe motors;

private:
    robot::RobotConfig config() {
        robot::RobotConfig config;
        config.motion = BareRobot::settings();
        config.receive_port = 0;
        config.send_port = played_.address().port;
        return config;
    }

    NullLog log_;
    OwnThread station_{"station", log_};
    OwnThread main_{"main", log_};
    OwnThread telemetry_{"telemetry", log_};
    OwnThread transmission_{"transmission", log_};
    OwnThread receiver_{"receiver", log_};
    OwnThread ai_{"ai", log_};
    std::vector<OwnThread*> threads_ = {&station_, &main_, &telemetry_, &transmission_, &receiver_, &ai_};
    robot::PlayedStation played_{station_.thread.loop(), station_.network};
    robot::RobotBuffers buffers_{main_.strand};
    robot::MotionInbox inbox_{buffers_};
    PropulsionThread propulsion_{motors, BareRobot::settings(), inbox_, log_};
    cubes::NoRadio radio_;
    cubes::MemoryPreferenceStore preferences_;
    robot::MemoryConfigStore store_;
    robot::RebootLimit reboots_{{}, ""};
    robot::Robot robot_{
        {.strands = {main_.strand, telemetry_.strand, transmission_.strand, receiver_.strand, ai_.strand},
         .transmission_network = transmission_.network,
         .receiver_network = receiver_.network,
         .body = motors,
         .motion = propulsion_,
         .buffers = buffers_,
         .ai = {.radio = radio_,
                .preferences = preferences_,
                .read_file = [](const std::string& path) -> Result<std::string> {
                    return fail(Code::not_found, path);
                }},
         .tree = {{"rest.json", R"({"base": "rest", "behaviors": [{"class": "idle", "id": "rest"}]})"}},
         .store = store_,
         .reboots = reboots_,
         .log = log_},
        config()};
};

}  // namespace

void command_to_motor(const Report& report, const Effort& effort) {
    WholeRobot robot;
    TimerJitter jitter;
    Random random(1);
    std::vector<double> times;
    bool moving = false;
    for (const SteadyTime end = now() + std::chrono::duration_cast<SteadyTime::duration>(effort.per_side);
         now() < end;) {
        pause(std::chrono::microseconds(random.between(500, 5000)));
        moving = !moving;
        robot.motors.watch_for(MotorProbe::Event::other);
        const SteadyTime sent = robot.send(moving ? "move_forward level=1" : "move movement=HALT");
        if (const auto noted = robot.motors.noted()) times.push_back(microseconds(*noted - sent));
        if (!robot.motors.reaches(moving ? BareRobot::settings().creep_speed : 0.0))
            give_up("a robot does not do what it is told");
    }
    const auto late = jitter.take();
    report.add({"command_to_motor_p50_us", percentile(times, 0.50), "us", percentile(late, 0.50)});
    report.add({"command_to_motor_p99_us", percentile(times, 0.99), "us", percentile(late, 0.99)});
}

}  // namespace caribou::bench
