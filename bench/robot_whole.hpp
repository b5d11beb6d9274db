#pragma once

#include <future>
#include <string>
#include <vector>

#include "cubes/no_radio.hpp"
#include "give_up.hpp"
#include "platform/socket_network.hpp"
#include "platform/thread_strand.hpp"
#include "robot/motion_inbox.hpp"
#include "robot/robot.hpp"
#include "robot_probe.hpp"

namespace caribou::bench {

/// A thread with its loop and its network.
struct OwnThread {
    OwnThread(const std::string& name, Log& log)
        : thread({.name = name}, log), strand(thread.loop()), network(thread.loop(), log) {}

    /// Runs `function` on that thread and returns its result.
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

/// A robot with one thread per part, whose motors are a probe. It connects to a station on this machine.
class WholeRobot {
public:
    explicit WholeRobot(std::uint16_t station_port) : station_port_(station_port) {
        bool started = true;
        for (OwnThread* const each : threads_) started = started && each->thread.start();
        main_.strand.post_here([this] { robot_.start(); });
        if (!started || !propulsion_.start()) give_up("the machine gives no more threads");
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

    /// Returns whether it has entered a mode in which it may move.
    bool may_move() { return propulsion_.report().permit.motors; }
    /// Returns 0 if it is not listening yet.
    std::uint16_t receive_port() {
        return main_.call([this] { return robot_.main().receive_port(); });
    }

    MotorProbe motors;

private:
    robot::RobotConfig config() const {
        robot::RobotConfig config;
        config.motion = BareRobot::settings();
        config.receive_port = 0;
        config.send_port = station_port_;
        return config;
    }

    std::uint16_t station_port_;
    NullLog log_;
    OwnThread main_{"main", log_};
    OwnThread telemetry_{"telemetry", log_};
    OwnThread transmission_{"transmission", log_};
    OwnThread receiver_{"receiver", log_};
    OwnThread ai_{"ai", log_};
    OwnThread stops_{"stops", log_};
    std::vector<OwnThread*> threads_ = {&stops_, &main_, &telemetry_, &transmission_, &receiver_, &ai_};
    robot::RobotBuffers buffers_{main_.strand};
    robot::MotionInbox inbox_{buffers_};
    PropulsionThread propulsion_{motors, BareRobot::settings(), inbox_, log_};
    cubes::NoRadio radio_;
    cubes::MemoryPreferenceStore preferences_;
    robot::MemoryConfigStore store_;
    robot::RebootLimit reboots_{{}, ""};
    motion::MemoryLatchStore latch_;
    robot::Robot robot_{
        {.strands = {main_.strand, telemetry_.strand, transmission_.strand, receiver_.strand, ai_.strand,
                     stops_.strand},
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
         .latch = latch_,
         .log = log_},
        config()};
};

}  // namespace caribou::bench
