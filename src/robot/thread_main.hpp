#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/log.hpp"
#include "robot/charge_watch.hpp"
#include "robot/command_handler.hpp"
#include "robot/health_picture.hpp"
#include "robot/reboot_limit.hpp"
#include "robot/robot_config.hpp"
#include "robot/run_modes.hpp"
#include "robot/sensor_board.hpp"
#include "robot/start_up.hpp"
#include "robot/thread_receiver.hpp"
#include "robot/thread_telemetry.hpp"
#include "robot/thread_transmission.hpp"

namespace caribou::robot {

/// How a robot has ended.
struct RobotEnd {
    link::RunMode mode{};  ///< RM0 or RM5
    std::string why{};
};

/// The threads that main starts and coordinates.
struct MainParts {
    Strand& strand;
    motion::Body& body;
    motion::MotionControl& motion;
    RobotBuffers& buffers;
    ThreadTelemetry& telemetry;
    ThreadTransmission& transmission;
    ThreadReceiver& receiver;
    ThreadAi& ai;
    // Their strands, on which they are started.
    Strand& telemetry_strand;
    Strand& transmission_strand;
    Strand& receiver_strand;
    Strand& ai_strand;
    ConfigStore& store;
    RebootLimit& reboots;
    Log& log;
    motion::LatchStore& latch;
    LinkTrust* trust = nullptr;  ///< null: no authentication
    std::function<std::vector<motion::PartCheck>()> check_software{};
    bool unguarded = false;          ///< see RobotParts
    std::string not_self_checked{};  ///< see RobotParts
};

/// The first thread: starts the others one after another, decides on modes, executes commands, and sends
/// heartbeats while all threads are alive.
class ThreadMain {
public:
    ThreadMain(const MainParts& parts, const RobotConfig& config);
    ~ThreadMain();

    /// Checks the hardware and starts everything, in order.
    void start();
    /// Sets the handler that is called when everything has ended and the robot can be destroyed.
    void on_end(std::function<void(const RobotEnd&)> handler) { on_end_ = std::move(handler); }
    /// Sets the handler that is called when the run mode was entered for the first time.
    void on_ready(std::function<void()> handler) { on_ready_ = std::move(handler); }
    /// Sets the handler that is called once per second while all threads are alive.
    void on_healthy(std::function<void()> handler) { on_healthy_ = std::move(handler); }
    /// Sets the handler of every round of telemetry, on main's thread.
    void on_round(std::function<void(const TelemetryRound&)> handler) { on_round_ = std::move(handler); }

    /// Must be called before start(): ends in RM0 after everything has started, without having moved.
    void only_test() { only_tests_ = true; }
    static constexpr std::string_view self_test_over = "the self-test is over";
    /// The guard has stopped the body, for that reason; an empty one: it has restored it.
    void on_guard_cut(const std::string& reason);
    /// The guard keeps the body stopped until the robot is started again.
    void on_guard_gave_up(const std::string& reason);
    /// Goes to RM0 after a signal or a request of a supervisor.
    void shut_down(const std::string& why);
    /// Goes to RM0, because the power is about to be switched off.
    void power_off();

    /// Must be called before start(): sets the handler of command lines for the bus.
    void set_bus(CommandHandler::AskLine ask) { handler_->set_bus(std::move(ask)); }
    /// Requests the view `health`; answered on main's thread. Thread-safe.
    void ask_health(TellView tell);

    /// Bypasses all queues. Thread-safe.
    void full_stop(motion::StopCause cause) { parts_.motion.full_stop(cause); }

    const RunModes& modes() const { return modes_; }
    /// Returns the faults that telemetry reports.
    const std::set<std::string>& faults() const { return faults_; }
    const CommandHandler& commands() const { return *handler_; }
    std::uint16_t receive_port() const { return receive_port_; }

private:
    /// A thread without a sign of life for this time is not alive.
    static constexpr Duration alive_limit = std::chrono::seconds(2);

    void on_items();
    void take(const Request& request) { handler_->take(request); }
    void on_telemetry();
    void on_time();
    void take(const ThreadStarted& note);
    void take(const StationArrived& note);
    void take(const StationHeard& note);
    void take(const StationLost& note);
    void take(const motion::MotionAnswer& note);
    void take(const StopChanged& note);

    /// Returns whether all required checks have passed.
    bool passes(std::string_view what, const std::vector<motion::PartCheck>& checks);
    void start_next();
    void launch(ThreadName who);
    void enter_first_mode();
    void follow(const std::optional<ModeChange>& change);
    void apply(const ModeChange& change);
    void power(link::RunMode mode, link::WaitReason reason);
    /// Ends transmission after the telemetry that shows the present mode.
    void fall_silent();
    void collect_telemetry(bool on);
    void go_down(const ModeChange& change);
    void fail_with(const std::string& why);
    void publish_modes();
    void set_fault(const std::string& fault, bool present);
    void on_latch(const std::string& not_stored);

    void beat();
    void watch_configuration(Instant at);
    bool all_alive(Instant now);
    /// Returns the signs of life of all threads, including propulsion.
    std::array<Alive, thread_count> alive() const;
    void measure_rates();
    void call_station(Instant now);
    void disable_server(std::optional<Duration> connect_to_me);
    void switch_server(Instant now);
    void watch_charger(const TelemetryRound& round);
    /// Goes to RM0 if there is a fault.
    void end_on(const motion::MotionFaults& faults);
    void drop_server();
    std::string status() const;
    HealthPicture health();
    Result<std::string> faults(std::string_view line);
    void arm();
    Instant now() const { return parts_.strand.loop().clock().now(); }

    MainParts parts_;
    RobotConfig config_;
    RunModes modes_;
    ChargeWatch charger_;
    SensorBoard sensors_;
    StartUp start_up_;
    motion::StopLatch latch_;
    std::unique_ptr<CommandHandler> handler_;
    StrandInbox<MainItem> main_cmd_;
    StrandEvent session_end_event_;
    StrandEvent telemetry_buffer_event_;
    std::unique_ptr<Timer> timer_;

    std::set<std::string> faults_;
    std::string guard_trouble_;  ///< why the guard keeps the body stopped; empty if it does not
    std::array<Alive, thread_count> before_{};  ///< at the last measurement of the rates
    std::array<double, thread_count> rates_{};  ///< rounds per second
    Instant measured_{};
    std::uint16_t receive_port_ = 0;
    std::optional<Address> station_;  ///< destination of telemetry
    bool station_is_here_ = false;
    bool collects_ = true;  ///< unless the mode switches it off
    bool begun_ = false;    ///< start() was called and the checks have passed
    bool started_ = false;
    bool only_tests_ = false;
    std::optional<Instant> handshake_until_;
    Instant next_beat_{};
    Instant next_look_{};
    int unread_ = 0;  ///< consecutive checks that found no configuration
    Instant next_call_{};
    /// Command 204: when to start or stop listening again.
    std::optional<Duration> comes_back_;
    bool listens_ = true;
    Instant next_switch_{};
    std::optional<ModeChange> end_;
    Instant end_at_{};
    std::optional<Instant> quiet_at_;  ///< when transmission ends, in a mode without it
    std::function<void(const RobotEnd&)> on_end_;
    std::function<void()> on_ready_;
    std::function<void()> on_healthy_;
    std::function<void(const TelemetryRound&)> on_round_;
};

}  // namespace caribou::robot
