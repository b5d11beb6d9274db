#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "base/zone.hpp"
#include "behavior/value.hpp"
#include "data/link_health.hpp"
#include "data/modes.hpp"
#include "link/sealed_datagram.hpp"
#include "loop/address.hpp"
#include "loop/shared_buffer.hpp"
#include "loop/strand_inbox.hpp"
#include "motion/motion.hpp"
#include "motion/propulsion.hpp"
#include "robot/held.hpp"
#include "robot/robot_request.hpp"
#include "robot/telemetry_round.hpp"

namespace caribou::robot {

enum class ThreadName : std::uint8_t {
    main,
    telemetry,
    transmission,
    receiver,
    ai,
    propulsion,
    watchdog,
    stops,
    signals,  ///< the initial thread: waits for signals and for the end of the robot
    latch,    ///< stores the latched stop
    bus,      ///< the robot's app on the bus, if it has one
};
inline constexpr std::size_t thread_count = 11;
/// Silence after which a thread counts as hanging whose duty is to stop the robot, to store that, or to end
/// it.
inline constexpr Duration duty_limit = std::chrono::seconds(1);
/// Maximum time between the signs of life of such a thread.
inline constexpr Duration duty_period = std::chrono::milliseconds(200);
/// Silence after which main counts as hanging: propulsion then stops the robot.
inline constexpr Duration main_limit = motion::Propulsion::supervisor_limit;
inline constexpr std::string_view main_is_silent = "main is silent";
std::string_view to_string(ThreadName name);

/// The state of the robot as set by main, for telemetry.
struct ModeBoard : data::Modes {
    std::vector<std::string> faults{};
};

/// Sign of life of a thread.
struct Alive {
    Instant last{};            ///< time of the last one
    std::uint64_t rounds = 0;  ///< number of rounds
};

/// An event of the connected cube.
struct NumberedCubeEvent {
    std::uint64_t number = 0;  ///< counted since the start, from 1
    std::string text{};        ///< such as `tapped`
};

/// The state of the AI.
struct AiBoard {
    std::vector<std::string> stack{};                  ///< behaviors, base first; in RM2
    std::string cube{};                                ///< state of the connection
    std::vector<NumberedCubeEvent> cube_events{};      ///< the latest, oldest first
    std::uint64_t failed_docks = 0;                    ///< failed attempts to dock since the start
    std::string dock_failure{};                        ///< reason of the last one
    std::uint64_t arrivals = 0;                        ///< at places of the command `go`, since the start
    std::uint64_t failed_goes = 0;                     ///< failed attempts to get to one
    std::string go_failure{};                          ///< reason of the last one
    bool ignores_dock = false;                         ///< the tree has no reaction to the command `dock`
    bool ignores_go = false;                           ///< nor to `go`
    std::uint64_t lost_places = 0;                     ///< of the command `go`, since the start
    std::string place_loss{};                          ///< how the last one was lost
    std::string places{};                              ///< the places of the map: `kitchen=1.50,2.00,90;…`
    std::shared_ptr<const std::vector<Zone>> zones{};  ///< of the map; null without one
    Pose odom_in_map{};  ///< the odometry frame in the map frame; zero without a map
    std::vector<std::pair<std::string, behavior::Value>> cube_facts{};  ///< that are known, by their names
};

/// The state of the link as set by the receiver.
using LinkBoard = data::LinkHealth;

/// Settings for telemetry. The latest value of each is used.
struct TelemetryCommand {
    std::optional<bool> collects{};  ///< commands 203 and 207, and sleeps
    std::optional<double> rate{};    ///< Hz
};

/// Settings for transmission.
struct SetDestination {
    std::optional<Address> to;  ///< nullopt: none
};
/// The secret for sealing; nullopt: as before a session.
struct SealFor {
    std::optional<link::SessionSecret> session{};
    Peer station{};     ///< the other end of the session
    link::KeyId key{};  ///< proved by the station
};
/// connectToMe.
struct CallForStation {
    std::uint16_t receive_port = 0;
};
using TransmissionCommand = std::variant<SetDestination, SealFor, CallForStation>;

/// Notifications of the threads to main.
struct ThreadStarted {
    ThreadName who{};
    Result<void> outcome{};
    std::uint16_t port = 0;    ///< the receiver's port
    bool runs_anyway = false;  ///< the outcome is a failure, but a replacement runs
};
struct StationArrived {
    Instant at{};  ///< when the receiver authenticated it
    Address send_to{};
    SealFor seal{};  ///< without a secret if the station is not authenticated
};
struct StationHeard {
    std::uint64_t session = 0;
    Instant at{};  ///< when the receiver read it; main may hang meanwhile
};
struct StationLost {
    std::string why{};
};
/// The latched full stop of propulsion has changed.
struct StopChanged {
    std::optional<motion::StopCause> stop{};  ///< nullopt: released
};
/// An attempt to store the latched stop has ended, or takes too long.
struct LatchStored {
    std::string not_stored{};  ///< the error; empty: it is stored
};
/// The kinds of sensors that no behavior needs at present.
struct SensorsUnneeded {
    std::set<std::string> kinds{};
};
/// A good tree of behaviors has replaced the one before.
struct TreeReplaced {};
/// Everything for StopDesk.
using StopItem = std::variant<Request, StopChanged>;
/// Everything for main, in one queue, so that the events of one session are handled in order.
using MainItem = std::variant<Request, ThreadStarted, StationArrived, StationHeard, StationLost,
                              motion::MotionAnswer, StopChanged, LatchStored, SensorsUnneeded, TreeReplaced>;

/// The open sessions of all connections.
struct OpenSessions {
    std::uint64_t last = 0;  ///< numbers are never reused
    std::set<std::uint64_t> open{};
};

/// The newest full stop of the station: the number of its session, and the id of the command. Both increase.
struct StationStop {
    std::uint64_t session = 0;
    std::uint64_t id = 0;

    friend auto operator<=>(const StationStop&, const StationStop&) = default;
};

/// The full stops that were requested.
struct StopMark {
    std::uint64_t count = 0;
    double at = 0;  ///< when the newest took effect, by Clock::boot_seconds()

    friend bool operator==(const StopMark&, const StopMark&) = default;
};

/// The full stops that wait for their answer. The first final answer to each is sent, a later one is dropped,
/// so that main can answer while the stop desk hangs.
struct OpenStops {
    struct Stop {
        link::CommandId id{};
        Reply reply{};
    };
    std::uint64_t last = 0;  ///< number of the latest one
    std::map<std::uint64_t, Stop> stops{};
};

/// Writers and readers on DDS that do not match because of their quality of service, a sentence for each
/// pair; by the user of DDS, `ros` or `views`.
using TopicMismatches = std::map<std::string, std::vector<std::string>>;

/// State shared by the threads. Each `_buffer`, `_cmd` and `sensor_array` has a lock, which is held only for
/// a copy.
///
/// | buffer           | written by          | read by                | event                            |
/// |------------------|---------------------|------------------------|----------------------------------|
/// | sensor_array     | main                | telemetry              |                                  |
/// | telemetry_buffer | telemetry           | transmission, AI, main | telemetry_buffer_event of each   |
/// | telemetry_cmd    | main                | telemetry              | read in every round              |
/// | error_buffer     | main                | transmission           | error_buffer_event               |
/// | transmission_cmd | main                | transmission           | transmission_cmd_event           |
/// | main_cmd         | all                 | main                   | main_cmd_event: of the inbox     |
/// | stop_cmd         | all                 | stop desk              | of the inbox                     |
/// | stops            | all                 | stop desk              |                                  |
/// | open_stops       | all                 | main                   |                                  |
/// | sessions         | all connections     | main                   | session_end_event                |
/// | station_stop     | receiver,           | transmission           |                                  |
/// |                  | transmission        |                        |                                  |
/// | mode_board       | main                | telemetry              |                                  |
/// | ai_board         | AI                  | telemetry, bus         |                                  |
/// | link_board       | receiver            | main                   |                                  |
/// | topic_mismatches | ROS, views          | transmission           |                                  |
struct RobotBuffers {
    explicit RobotBuffers(Strand& any)
        : sensor_array(any),
          telemetry_buffer(any),
          telemetry_cmd(any),
          error_buffer(any),
          transmission_cmd(any),
          mode_board(any),
          ai_board(any),
          link_board(any),
          sessions(any),
          station_stop(any),
          stops(any),
          open_stops(any),
          alive(any),
          topic_mismatches(any) {}

    SharedBuffer<std::vector<std::size_t>> sensor_array;  ///< indexes of the sensors to read, in order
    SharedBuffer<std::shared_ptr<const TelemetryRound>> telemetry_buffer;
    SharedBuffer<std::optional<TelemetryCommand>> telemetry_cmd;
    SharedBuffer<std::deque<std::string>> error_buffer;
    SharedBuffer<std::deque<TransmissionCommand>> transmission_cmd;
    SharedBuffer<ModeBoard> mode_board;
    SharedBuffer<AiBoard> ai_board;
    SharedBuffer<LinkBoard> link_board;
    SharedBuffer<OpenSessions> sessions;
    SharedBuffer<StationStop> station_stop;
    SharedBuffer<StopMark> stops;
    SharedBuffer<OpenStops> open_stops;
    SharedBuffer<std::array<Alive, thread_count>> alive;
    SharedBuffer<TopicMismatches> topic_mismatches;

    static constexpr std::size_t most_errors = 32;
    static constexpr std::size_t most_transmission_commands = 64;
    /// More than all sessions of the receiver together may have pending.
    static constexpr std::size_t most_commands = 128;
    static constexpr std::size_t most_notes = 1024;
    /// More than all sessions may have pending, including the additional ones for a full stop.
    static constexpr std::size_t most_stops = 256;
    /// Returns the sizes of all buffers.
    std::vector<Held> held() const;

    // Events of the buffers; null if none. Must be set before any thread runs.
    std::vector<StrandEvent*> telemetry_buffer_event{};
    StrandEvent* error_buffer_event = nullptr;
    Inbox<std::string>* inner_reports = nullptr;  ///< the same errors, for a station in this process
    StrandEvent* transmission_cmd_event = nullptr;
    StrandEvent* session_end_event = nullptr;
    Inbox<MainItem>* main_cmd = nullptr;
    Inbox<StopItem>* stop_cmd = nullptr;
    std::function<void(motion::StopCause)> note_stop{};  ///< LatchStore::note()

    /// Queues a notification for main. Notifications have room beyond `most_commands`, which no peer can
    /// fill: each kind is limited at its source.
    void note(MainItem what) const {
        if (main_cmd) std::ignore = main_cmd->push(std::move(what));
    }
    /// Queues a full stop for the stop desk, and another command for main. Returns false, without calling
    /// `reply`, if too many are waiting.
    bool submit(Request request) {
        if (request.command.code == link::CommandCode::full_stop) return submit_stop(std::move(request));
        request.stops = stops.copy().count;
        return main_cmd && main_cmd->size() < most_commands &&
               main_cmd->push(std::move(request)) != Pushed::refused;
    }
    /// Stops the robot at once. Must be called before a full stop is submitted: a release that was submitted
    /// earlier, or given before `clock` shows now, has no effect.
    void stop_now(motion::MotionControl& motion, motion::StopCause cause, const Clock& clock) {
        mark_stop(clock);
        motion.full_stop(cause);
        if (note_stop) note_stop(cause);
    }
    /// Same, if propulsion has stopped the robot by itself.
    void mark_stop(const Clock& clock) {
        stops.change([&](StopMark& mark) { mark = {mark.count + 1, clock.boot_seconds()}; });
    }
    /// Returns whether main hangs.
    bool is_main_silent(Instant now) const {
        const Instant last = sign_of_life(ThreadName::main);
        return last != Instant{} && now - last > main_limit;
    }
    /// Returns the last sign of life of a thread; the epoch if there was none.
    Instant sign_of_life(ThreadName who) const { return alive.copy().at(static_cast<std::size_t>(who)).last; }
    /// Returns the number of a new session. Commands of a session are executed only while it is open.
    std::uint64_t open_session() {
        std::uint64_t number = 0;
        sessions.change([&](OpenSessions& all) {
            number = ++all.last;
            all.open.insert(number);
        });
        return number;
    }
    /// Closes a session: no further command of it is executed, and it loses the lease.
    void close_session(std::uint64_t number) {
        sessions.change([&](OpenSessions& all) { all.open.erase(number); });
        if (session_end_event) session_end_event->trigger();
    }
    bool is_open(std::uint64_t session) {
        bool is = false;
        sessions.change([&](const OpenSessions& all) { is = all.open.contains(session); });
        return is;
    }
    /// Returns whether the station has sent no full stop after this one. A stop that is not new has been
    /// carried out, or a later one has.
    bool is_new_stop(const StationStop& stop) const { return stop > station_stop.copy(); }
    /// Records a full stop of the station. Must be called after the stop was passed to main.
    void add_stop(const StationStop& stop) {
        station_stop.change([&](StationStop& newest) { newest = std::max(newest, stop); });
    }
    /// Records a refused peer.
    void refused(std::string who_and_why) {
        link_board.change([&](LinkBoard& board) {
            board.refused += 1;
            board.refusal = std::move(who_and_why);
        });
    }
    void prove_alive(ThreadName who, Instant now) {
        alive.change([&](auto& all) {
            Alive& its = all.at(static_cast<std::size_t>(who));
            its = {now, its.rounds + 1};
        });
    }
    /// Same, between two rounds, without counting one.
    void prove_alive_between_rounds(ThreadName who, Instant now) {
        alive.change([&](auto& all) { all.at(static_cast<std::size_t>(who)).last = now; });
    }
    /// Sends an error to the station, if there is one. If they come too fast, the oldest are dropped.
    void report_error(std::string text) {
        if (inner_reports) std::ignore = inner_reports->push(text);
        error_buffer.change([&](auto& errors) {
            if (errors.size() == most_errors) errors.pop_front();
            errors.push_back(std::move(text));
        });
        if (error_buffer_event) error_buffer_event->trigger();
    }
    void tell_transmission(TransmissionCommand command) {
        // Without a transmission thread the commands are not read; the latest are kept.
        transmission_cmd.change([&](auto& commands) {
            if (commands.size() == most_transmission_commands) commands.pop_front();
            commands.push_back(std::move(command));
        });
        if (transmission_cmd_event) transmission_cmd_event->trigger();
    }
    void tell_telemetry(const TelemetryCommand& command) {
        telemetry_cmd.change([&](auto& waiting) {
            if (!waiting) waiting.emplace();
            if (command.collects) waiting->collects = command.collects;
            if (command.rate) waiting->rate = command.rate;
        });
    }

private:
    bool submit_stop(Request request);
};

}  // namespace caribou::robot
