#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "behavior/value.hpp"
#include "bus/client.hpp"
#include "loop/limited_log.hpp"
#include "loop/network.hpp"
#include "loop/stall_timer.hpp"
#include "loop/strand.hpp"
#include "loop/weak_self.hpp"
#include "robot/bus_view.hpp"
#include "robot/robot_buffers.hpp"

namespace caribou::robot {

/// The robot as an app on a bus: publishes modes, movement, pose, battery, faults, behaviors and the cube
/// under its prefix, and executes commands from `<prefix>CMD`, with answers in `<prefix>ANSWER`. Without
/// `drive` the bus has the permissions of an observer; with it, it drives like any other peer, with lease and
/// dead man's switch. Only persons release a full stop: over the bus, `release_stop` is always refused.
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

    /// Limit of pending commands of all writers together, like that of a session, and how many halts may be
    /// pending beyond it. A full stop is always carried out.
    static constexpr std::size_t max_commands = 8;
    static constexpr std::size_t max_halts = 4;

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
    /// Writes a variable for the behaviors. While there is no connection, the value is lost. Thread-safe.
    void publish(std::string variable, behavior::Value value);

private:
    void prove_alive();
    void on_telemetry();
    void on_command(const wire::MessageView& mail);
    void answer(const link::Answer& answer);
    /// Returns why a command is refused, without asking main.
    std::optional<link::Objection> objection_to(const link::Command& command) const;
    /// Returns why a command is not carried out: it is the value that the bus had before this connection, may
    /// be that, was written too long ago, or has a time in the future. Returns an empty text for a current
    /// one, and for every full stop and halt but the one that was there before.
    std::string too_old(const wire::MessageView& mail, const link::Command& command) const;
    /// Returns when a command was given, by Clock::boot_seconds(). The time of its writer counts, if it is
    /// earlier: the command may have waited in the broker.
    double given(const wire::MessageView& mail);
    void tell(std::string_view name, std::string_view value);
    void tell(std::string_view name, double value);

    Strand& strand_;
    RobotBuffers& buffers_;
    Log& log_;
    LimitedLog requests_log_;
    Submit submit_;
    Options options_;
    Learn learn_;
    bus::Client client_;
    BusView view_;
    const std::uint64_t session_;  ///< all writers together are one driver
    StrandEvent telemetry_buffer_event_;
    std::uint64_t last_id_ = 0;
    std::size_t open_commands_ = 0;  ///< without a final answer; full stops do not count
    double connected_stamp_ = 0;     ///< time of the connection, by the clock of the bus
    Instant connected_at_{};
    std::uint64_t last_cube_event_ = 0;  ///< number of the last one that was published
    StallTimer stalls_;
    std::unique_ptr<Timer> alive_timer_;
    WeakSelf<RobotBus> self_{*this};
};

}  // namespace caribou::robot
