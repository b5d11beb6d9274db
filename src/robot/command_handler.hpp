#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/log.hpp"
#include "motion/motion.hpp"
#include "motion/stop_latch.hpp"
#include "robot/answer_book.hpp"
#include "robot/config_store.hpp"
#include "robot/docking.hpp"
#include "robot/lease.hpp"
#include "robot/robot_buffers.hpp"
#include "robot/run_modes.hpp"
#include "robot/sensor_board.hpp"
#include "robot/thread_ai.hpp"

namespace caribou::robot {

/// The one place where commands are carried out, whatever way they came in. Each is answered exactly once.
class CommandHandler {
public:
    /// Takes a line to where it is understood; told there.
    using AskLine = std::function<void(std::string line, ThreadAi::Told told)>;
    /// What a command can do to the robot beyond what stands here.
    struct Hands {
        std::function<void(const ModeChange&)> apply;
        /// Command 204. None: for good.
        std::function<void(std::optional<Duration> connect_to_me)> disable_server;
        std::function<void(bool on)> collect_telemetry;
        std::function<void(std::uint16_t port)> set_udp_port;
        std::function<void()> drop_server;
        /// Stores that the robot is stopped or released; told once that holds, or after a limit.
        std::function<void(bool stopped, motion::StopLatch::Told told)> latch;
        std::function<bool()> may_reboot;
        std::function<std::string()> status;
        /// Why the configured behaviors do not run. Empty: they do.
        std::function<std::string()> ai_complaint;
        /// A line for the bus. Empty: the robot is on none.
        AskLine ask_bus{};
        /// A line for the faults of the body.
        std::function<Result<std::string>(std::string_view line)> faults;
    };

    /// All outlive it.
    CommandHandler(Strand& strand, RunModes& modes, motion::MotionControl& motion, RobotBuffers& buffers,
                   SensorBoard& sensors, ThreadAi& ai, ConfigStore& store, Log& log, Hands hands);

    /// Carries the command out if its session is still open; without an answer otherwise.
    void take(const Request& request);
    void on_motion_answer(const motion::MotionAnswer& answer);
    /// Releases the lease if its holder's session is not open any more.
    void release_gone();
    /// The mode has changed: what waits for one learns of it.
    void on_mode(const ModeChange& change);
    /// Ends a docking that has succeeded or failed. To be called with every round of telemetry, and once a
    /// second.
    void watch_docking();
    /// Everything that waits is answered; the change is what it waited for, or ends it.
    void finish(const ModeChange& change);

    void set_bus(AskLine ask) { hands_.ask_bus = std::move(ask); }

    const Lease& lease() const { return lease_; }
    std::size_t open_count() const { return book_.open_count(); }
    void add_held(std::vector<Held>& to) const;

private:
    using Key = AnswerBook::Key;

    std::optional<link::Objection> object_to(const Request& request);
    void carry_out(const Request& request);
    void done(const Request& request, std::string text = {});
    void refuse(const Request& request, link::Objection why);
    void answer_with(const Request& request, std::optional<link::Objection> objection);

    void move(const Request& request);
    void latch(const Request& request, bool stopped);
    void set_run_mode(const Request& request);
    void dock(const Request& request);
    void end_docking(const Docking::End& end);
    Docking::Evidence dock_evidence() const;
    void set_parameter(const Request& request);
    void set_sensor(const Request& request, bool on);
    void set_telemetry(const Request& request, bool on);
    void disable_server(const Request& request);
    void take_lease(const Request& request);
    void ask_ai(const Request& request);
    void ask_bus(const Request& request);
    /// Answers the request with what is told, on whatever strand.
    ThreadAi::Told answering(const Request& request);

    Strand& strand_;
    RunModes& modes_;
    motion::MotionControl& motion_;
    RobotBuffers& buffers_;
    SensorBoard& sensors_;
    ThreadAi& ai_;
    ConfigStore& store_;
    Log& log_;
    Hands hands_;
    AnswerBook book_;
    Lease lease_;
    std::map<std::uint64_t, Key> orders_;  ///< that propulsion has not answered
    std::uint64_t last_order_ = 0;
    struct OpenDock {
        Key key;
        Docking docking;
    };
    std::optional<OpenDock> dock_;
    std::optional<Key> going_down_;
    std::set<Key> latching_;  ///< stops and releases that are not answered yet
};

/// The movement that a command of 101 to 107 asks for.
Result<motion::MovementCommand> movement_of(const link::Command& command);

}  // namespace caribou::robot
