#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/log.hpp"
#include "data/health.hpp"
#include "robot/charge_watch.hpp"
#include "robot/command_handler.hpp"
#include "robot/duty_watch.hpp"
#include "robot/life_signs.hpp"
#include "robot/reboot_limit.hpp"
#include "robot/robot_config.hpp"
#include "robot/run_modes.hpp"
#include "robot/sensor_board.hpp"
#include "robot/sensor_watch.hpp"
#include "robot/start_up.hpp"
#include "robot/station_calls.hpp"
#include "robot/stop_desk.hpp"
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
    StopDesk& stops;
    ConfigStore& store;
    RebootLimit& reboots;
    Log& log;
    motion::LatchStore& latch;
    LinkTrust* trust = nullptr;  ///< null: no authentication
    std::function<std::vector<motion::PartCheck>()> check_software{};
    bool unguarded = false;          ///< see RobotParts
    bool link_not_stored = false;    ///< see RobotParts
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
    /// The guard cannot restore the body, and tries again.
    void on_guard_not_restored(const std::string& reason);
    /// The guard keeps the body stopped until the robot is started again.
    void on_guard_gave_up(const std::string& reason);
    /// Goes to RM0 after a signal or a request of a supervisor.
    void shut_down(const std::string& why);
    /// Goes to RM0, because the power is about to be switched off.
    void power_off();

    /// Must be called before start(): sets the handler of command lines for the bus.
    void set_bus(CommandHandler::AskLine ask) { handler_->set_bus(std::move(ask)); }
    /// Returns the view `health`: what main has published, with the present state of the threads, so that it
    /// shows a main that hangs. Thread-safe.
    std::string health_json() const;

    /// Returns whether a thread that DutyWatch watches hangs. On main's strand.
    bool is_silent(ThreadName who) const { return duties_.is_silent(who); }

    const RunModes& modes() const { return modes_; }
    /// Returns the faults that telemetry reports.
    const std::set<std::string>& faults() const { return faults_; }
    const CommandHandler& commands() const { return *handler_; }
    std::uint16_t receive_port() const { return calls_.port(); }

private:
    /// At the start a required sensor may take this long for its first reading.
    static constexpr Duration first_readings_limit = std::chrono::seconds(3);

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
    void take(const LatchStored& note);
    void take(const TreeReplaced& note);
    void take(const SensorsUnneeded& note) { sensors_.leave_off(note.kinds); }

    /// Returns whether all required checks of the software have passed.
    bool passes_software(const std::vector<motion::PartCheck>& checks);
    /// Continues the start once all required parts of the body work. Waits for their first readings.
    void check_hardware();
    void watch_sensors(const TelemetryRound& round);
    /// Reports telemetry that is too slow for the behaviors of RM2, which then halt.
    void watch_rate(const TelemetryRound& round);
    void start_next();
    void launch(ThreadName who);
    void enter_first_mode();
    /// Returns the earliest time for that; in the past if it waits for nothing.
    Instant first_mode_at() const;
    void follow(const std::optional<ModeChange>& change);
    void apply(const ModeChange& change);
    void power(link::RunMode mode, link::WaitReason reason);
    /// Releases the stop, if the stop desk can.
    void release_stop(const Request& request, StopDesk::Answered answered);
    /// Ends transmission after the telemetry that shows the present mode.
    void fall_silent();
    /// Sends one telemetry if none is sent because of a sleep: to a station that arrives during it, or asks.
    void show_sleep();
    void collect_telemetry(bool on);
    void go_down(const ModeChange& change);
    void fail_with(const std::string& why);
    void publish_modes();
    void set_fault(std::string_view name, bool present);

    void beat();
    void watch_configuration(Instant at);
    bool all_alive(Instant at);
    void call_station();
    void disable_server(std::optional<Duration> back);
    void watch_charger(const TelemetryRound& round);
    /// Goes to RM0 if there is a fault.
    void end_on(const motion::MotionFaults& faults);
    void drop_server();
    std::string status() const;
    link::StateLine state_line() const;
    void publish_health();
    Result<std::string> faults(std::string_view line);
    void arm();
    void prove();
    Instant now() const { return parts_.strand.loop().clock().now(); }

    MainParts parts_;
    RobotConfig config_;
    RunModes modes_;
    ChargeWatch charger_;
    SensorBoard sensors_;
    SensorWatch sensor_watch_;
    std::optional<Instant> hardware_until_;  ///< while required parts of the body do not work yet
    StartUp start_up_;
    bool had_station_;  ///< when the image before this one rebooted
    DutyWatch duties_;
    std::unique_ptr<CommandHandler> handler_;
    StrandInbox<MainItem> main_cmd_;
    StrandEvent session_end_event_;
    StrandEvent telemetry_buffer_event_;
    std::unique_ptr<Timer> timer_;
    std::unique_ptr<Timer> life_;  ///< for its own signs of life
    SharedBuffer<data::Health> health_;
    LifeSigns life_signs_;
    StationCalls calls_;

    std::set<std::string> faults_;
    std::string guard_trouble_;  ///< why the guard keeps the body stopped; empty if it does not
    bool collects_ = true;       ///< unless the mode switches it off
    bool begun_ = false;         ///< start() was called and the checks have passed
    bool started_ = false;
    bool only_tests_ = false;
    std::optional<Instant> handshake_until_;
    Instant next_beat_{};
    Instant next_look_{};
    int unread_ = 0;  ///< consecutive checks that found no configuration
    std::optional<ModeChange> end_;
    Instant end_at_{};
    std::optional<Instant> quiet_at_;  ///< when transmission ends, in a mode without it
    std::function<void(const RobotEnd&)> on_end_;
    std::function<void()> on_ready_;
    std::function<void()> on_healthy_;
    std::function<void(const TelemetryRound&)> on_round_;
};

}  // namespace caribou::robot
