#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "behavior/value.hpp"
#include "bus/client.hpp"
#include "loop/network.hpp"
#include "loop/strand.hpp"
#include "robot/bus_view.hpp"
#include "robot/robot_buffers.hpp"

namespace caribou::robot {

/// The robot as an app on a bus: publishes modes, movement, pose, battery, faults, behaviors and the cube
/// under its prefix, and executes commands from `<prefix>CMD`, with answers in `<prefix>ANSWER`. Without
/// `drive` the bus has the permissions of an observer; with it, it drives like any other peer, with lease and
/// dead man's switch.
class RobotBus {
public:
    /// Options of the robot's app on the bus.
    struct Options {
        std::string robot;
        Address broker;
        std::string prefix = "CBOT_";
        bool drive = false;
        bool hosted = false;               ///< the broker runs in this robot's process
        std::vector<std::string> facts{};  ///< variables used by the behaviors
    };
    /// Receives those variables, on the bus's strand.
    using Learn = std::function<void(const std::string& name, behavior::Value value)>;
    using Submit = std::function<void(Request)>;

    /// All arguments must outlive this object.
    RobotBus(Strand& strand, Network& network, RobotBuffers& buffers, Log& log, Submit submit,
             Options options, Learn learn = {});

    Result<void> start() { return client_.start(); }
    void stop() { client_.stop(); }
    bool connected() const { return client_.connected(); }
    /// Requests the view of the bus, or executes a command line for it. Called back on the bus' thread.
    /// Thread-safe.
    void ask_view(TellView tell);
    void ask_line(std::string line, std::function<void(Result<std::string>)> told);

private:
    void on_telemetry();
    void on_command(std::string_view text, std::string_view source);
    void tell(std::string_view name, std::string_view value);
    void tell(std::string_view name, double value);

    Strand& strand_;
    RobotBuffers& buffers_;
    Log& log_;
    Submit submit_;
    Options options_;
    Learn learn_;
    bus::Client client_;
    BusView view_;
    const std::uint64_t session_;  ///< all writers together are one driver
    StrandEvent telemetry_buffer_event_;
    std::uint64_t last_id_ = 0;
    std::shared_ptr<RobotBus*> self_;  ///< lets answers detect destruction
};

}  // namespace caribou::robot
