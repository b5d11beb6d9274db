#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/log.hpp"
#include "link/state_line.hpp"
#include "loop/weak_self.hpp"
#include "motion/motion.hpp"
#include "robot/answer_book.hpp"
#include "robot/config_store.hpp"
#include "robot/docking.hpp"
#include "robot/going.hpp"
#include "robot/lease.hpp"
#include "robot/robot_buffers.hpp"
#include "robot/run_modes.hpp"
#include "robot/sensor_board.hpp"
#include "robot/thread_ai.hpp"

namespace caribou::robot {

/// Executes commands from all sources. Each is answered exactly once.
class CommandHandler {
public:
    /// Passes a line to the component that parses it; `told` is called there.
    using AskLine = std::function<void(std::string line, ThreadAi::Told told)>;
    /// Callbacks for actions outside of this class.
    struct Hands {
        std::function<void(const ModeChange&)> apply;
        /// Command 204; nullopt: permanently.
        std::function<void(std::optional<Duration> connect_to_me)> disable_server;
        std::function<void(bool on)> collect_telemetry;
        std::function<void(std::uint16_t port)> set_udp_port;
        std::function<void()> drop_server;
        /// Releases the full stop; `answered` may be called on another thread.
        std::function<void(const Request&, std::function<void(const link::Answer&)> answered)> release_stop;
        std::function<bool()> may_reboot;
        std::function<std::string()> status;
        std::function<link::StateLine()> state_line;
        /// Sends one telemetry if the robot sleeps and sends none.
        std::function<void()> show_sleep;
        /// Returns why the configured behaviors do not run; empty if they do.
        std::function<std::string()> ai_complaint;
        /// Returns why the body cannot be driven at present; empty if it can.
        std::function<std::string()> body_trouble;
        /// A line for the bus; empty if the robot has none.
        AskLine ask_bus{};
        /// A line for the simulated faults of the body.
        std::function<Result<std::string>(std::string_view line)> faults;
    };

    /// All arguments must outlive this object.
    CommandHandler(Strand& strand, RunModes& modes, motion::MotionControl& motion, RobotBuffers& buffers,
                   SensorBoard& sensors, ThreadAi& ai, ConfigStore& store, Log& log, Hands hands);

    /// Executes the command if its session is still open; otherwise drops it without an answer.
    void take(const Request& request);
    void on_motion_answer(const motion::MotionAnswer& answer);
    /// Releases the lease if its holder's session is no longer open.
    void release_gone();
    /// Must be called when the mode has changed.
    void on_mode(const ModeChange& change);
    /// Ends a docking, or a way to a place, that has succeeded or failed. Must be called after every round of
    /// telemetry, and once per second.
    void watch_errands();
    /// Answers all pending commands; the change is either what they waited for or ends them.
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
    void release_stop(const Request& request);
    void set_run_mode(const Request& request);
    /// Returns why a fresh start of the robot would fail; nullopt if its configuration is valid.
    std::optional<link::Objection> objection_to_configuration();
    void change_mode(const Request& request, const ModeChange& change);
    void dock(const Request& request);
    void end_docking(const Docking::End& end);
    Docking::Evidence dock_evidence() const;
    /// Ends a `dock` or `go` that has left RM3, which the robot returns to. Returns whether there was one.
    bool cancel_errand(const std::string& why);
    /// Returns why the robot cannot drive by itself to its dock or a place at present; nullopt if it can.
    std::optional<link::Objection> objection_to_errand(const Request& request) const;
    void go(const Request& request);
    void begin_going(const Request& request);
    void end_going(const Going::End& end);
    Going::Evidence go_evidence() const;
    void set_parameter(const Request& request);
    void set_sensor(const Request& request, bool on);
    void set_telemetry(const Request& request, bool on);
    void disable_server(const Request& request);
    void take_lease(const Request& request);
    void ask_ai(const Request& request);
    void ask_bus(const Request& request);
    /// Returns a callback that answers the request with its result, from any strand.
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
    std::map<std::uint64_t, Key> orders_;  ///< not answered by propulsion yet
    std::uint64_t last_order_ = 0;
    struct OpenDock {
        Key key;
        Docking docking;
    };
    std::optional<OpenDock> dock_;
    struct OpenGo {
        Key key;
        Going going;
    };
    std::optional<OpenGo> go_;
    std::string sent_to_;  ///< the place of the command `go`, from the question to the AI on; empty: none
    std::optional<Key> going_down_;
    std::set<Key> releasing_;  ///< releases that are not answered yet
    WeakSelf<CommandHandler> self_{*this};
};

}  // namespace caribou::robot
