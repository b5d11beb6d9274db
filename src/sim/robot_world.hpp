#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.hpp"
#include "base/random.hpp"
#include "bus/broker_server.hpp"
#include "link/keyed_network.hpp"
#include "loop/memory_network.hpp"
#include "loop/virtual_loop.hpp"
#include "map/grid.hpp"
#include "robot/running_world.hpp"
#include "robot/sim_body.hpp"
#include "sim/bus_witness.hpp"
#include "sim/intruder.hpp"
#include "sim/robot_process.hpp"
#include "sim/scripted_trouble.hpp"
#include "sim/station_audit.hpp"
#include "sim/wiretap.hpp"
#include "station/station.hpp"

namespace caribou::sim {

/// Options of a run. Everything else is drawn from the seed.
struct RobotWorldOptions {
    std::size_t robots = 1;
    Duration time = std::chrono::seconds(60);
    /// The world; nullopt: a random room.
    std::optional<world::WorldPlan> plan{};
    std::vector<behavior::TreeText> tree{};
    std::function<std::shared_ptr<robot::Navigator>(behavior::ClassRegistry&, robot::AiControl&)>
        add_classes{};
    /// Mean time between random faults; nullopt: none.
    std::optional<Duration> trouble = std::chrono::seconds(2);
    /// All peers have keys and datagrams are sealed. Otherwise the link is not authenticated.
    bool keyed = true;
    bool bus = true;  ///< with a bus, whose broker has faults, too
    /// Replaces all memory limits of a robot, to test that violations are found.
    std::optional<std::size_t> most_held{};
    std::vector<ScriptedTrouble> script{};  ///< sorted by time
    std::vector<world::Fault> faults{};     ///< in addition to those of the plan
    /// Called with a description of each event; may be empty.
    std::function<void(std::string_view)> trace{};
    /// Called every simulated minute with the elapsed time. Returns whether to continue.
    std::function<bool(Duration)> progress{};
};

/// Results of one robot.
struct RobotStory {
    double distance = 0;           ///< m
    double fastest_collision = 0;  ///< m/s
    std::uint64_t dockings = 0;
    std::uint64_t commands = 0;
    std::uint64_t refused = 0;
    std::uint64_t starts = 0;   ///< of its program
    std::uint64_t carried = 0;  ///< number of times it was carried to the charger with an empty battery
    double battery = 0;         ///< at the end
    std::string mode{};         ///< at the end
};

/// Results of a run. The same seed reproduces it.
struct RobotWorldReport {
    std::uint64_t seed = 0;
    Duration time{};        ///< simulated; shorter than `wanted` after a violation
    Duration wanted{};      ///< from the options
    bool canceled = false;  ///< by options.progress
    /// The first violations; empty if there were none.
    std::vector<std::string> violations{};
    std::vector<RobotStory> robots{};
    double area_seen = 0;                             ///< m2 of free floor seen by any lidar
    std::map<std::string, std::uint64_t> troubles{};  ///< number of faults, by kind
};
std::string to_string(const RobotWorldReport& report);

/// Robots in a world, each with its program, and a station that drives them, on one virtual clock and one
/// network, with random faults from a seed: links are slow, lossy and cut, programs are killed and restarted,
/// the wall clock jumps, sensors fail, encoders report wrong values, wheels block, people lift robots and
/// take the charger away, operators change their minds, intruders connect without a key, with a wrong key,
/// with insufficient permission or with recorded bytes, and an attacker repeats datagrams. After every step
///
/// - every movement of a robot had a live source that may move it, legal transitions and speeds within the
///   limits (motion::MotionAudit), and a full stop has stopped it in time,
/// - no run mode is combined with a com mode that cannot support it, and RM1 has a reason,
/// - every command has received exactly one final answer in time, and none was executed for a peer without a
///   welcome, the role or the lease (CommandAudit),
/// - no peer was admitted without a key that the robot knows (Intruder), and the station has accepted no
///   repeated or modified datagram (DatagramAudit),
/// - no cube is connected without a subscriber,
/// - the memory of each robot is within its limits (HeldAudit), and its configuration can be read again, even
///   if the disk was full.
///
/// At the end all faults are removed, and then, within a fixed time, the station is connected to every robot,
/// and the bus shows the mode of each (BusWitness).
class RobotWorld {
public:
    static constexpr const char* station_host = "station";
    static constexpr const char* broker_host = "broker";
    // Other keys known to every robot: one peer may drive, one may observe.
    static constexpr const char* friend_key = "friend";
    static constexpr const char* guest_key = "guest";

    RobotWorld(std::uint64_t seed, RobotWorldOptions options);
    ~RobotWorld();

    /// Executes the run; must be called once.
    RobotWorldReport run();

    const world::World& world() { return world_.now(); }
    /// Returns the area seen by all lidars.
    const map::OccupancyGrid& seen() const { return seen_; }
    /// Returns the path of each robot.
    const std::vector<std::vector<Vec2>>& trails() const { return trails_; }

private:
    friend std::vector<std::string> trouble_names();

    struct Action {
        unsigned weight;
        std::string_view name;
        void (RobotWorld::*happen)();
    };
    struct Agent;
    /// Adds the log messages of the programs to the trace.
    class Trace final : public Log {
    public:
        Trace(const RobotWorld& world, std::string who) : world_(world), who_(std::move(who)) {}
        void write(Level, std::string_view text) override;

    private:
        const RobotWorld& world_;
        std::string who_;
    };

    void step();
    void watch(std::size_t index);
    void watch_machine(std::size_t index);
    // Rules of robot_world_rules.cpp.
    void sample_motion(Agent& agent);
    void watch_link(std::size_t index);
    void watch_station(std::size_t index);
    void watch_body(std::size_t index);
    void watch_full_stop(std::size_t index);
    void violate(std::size_t index, std::string_view what);
    void tell(std::string_view what) const;
    void settle();
    void summarize();
    void start_program(std::size_t index);
    void start_station();
    void pair(Agent& agent);
    std::uint64_t refused_datagrams() const;
    void count_refusals();  ///< adds those of the station before it is destroyed
    void watch_outsiders();
    void start_broker();
    bool bus_is_right() const;
    void follow_orders();
    void tend(std::size_t index);
    /// The level at which a person restarts a robot whose battery was empty.
    static constexpr double charged_enough = 0.3;
    void carry_to_charger(std::size_t index);
    void look_around();

    // The possible events, defined in robot_world_actions.cpp.
    static const std::vector<Action>& actions();
    void act();
    void let_happen(const Action& action);
    void follow_script();
    void give_command();
    void give_nonsense();
    void hold_a_key();
    void full_stop();
    void release_stop();
    void change_mode();
    void cut_link();
    void reset_link();
    void reset_link(std::size_t index);
    void change_network();
    void kill_program();
    void kill_station();
    void step_wall();
    void break_something();
    void move_charger();
    void drop_cube_link();
    void fill_disk();
    void kill_broker();
    void stop_briefly();
    void hang_thread();
    void hang_driven();
    void hang_main(std::size_t index);
    void drive_route();
    void unpair_friend();
    void intrude();
    void replay_datagrams();
    void send(std::size_t index, std::string_view command, std::string_view operator_name = "driver");
    void expect_stop(Agent& agent, const station::RobotSession& session);
    std::size_t any_robot() { return only_ ? *only_ : random_.below(agents_.size()); }
    std::string name_of(std::size_t index) const;
    Duration some_time(Duration most);

    RobotWorldReport report_;
    RobotWorldOptions options_;
    Random random_;
    VirtualLoop loop_;
    MemoryNetwork network_;
    Trace log_{*this, "station"};
    Trace broker_log_{*this, "broker"};
    robot::RunningWorld world_;
    std::unique_ptr<Network> station_network_;
    DatagramAudit datagrams_{[this] { return refused_datagrams(); }};
    StreamWiretap said_;  ///< bytes sent by the station
    TappedNetwork station_wire_{*station_network_, datagrams_, &said_};
    link::MemoryKeyBook station_keys_;
    link::KeyedNetwork station_streams_;
    StationAudit sent_;  ///< commands
    std::unique_ptr<station::Station> station_;
    std::optional<Instant> station_back_;
    std::unique_ptr<Network> broker_network_;
    std::unique_ptr<bus::BrokerServer> broker_;  ///< null if there is no bus, or after it was killed
    std::optional<Instant> broker_back_;
    std::unique_ptr<Network> witness_network_;
    std::unique_ptr<BusWitness> witness_;
    std::unique_ptr<Network> intruder_network_;
    std::unique_ptr<link::KeyedNetwork> intruder_streams_;
    std::unique_ptr<Intruder> intruder_;
    std::size_t intruded_ = 0;        ///< the robot that it dials
    std::size_t intruded_start_ = 0;  ///< number of starts of that robot
    std::vector<std::unique_ptr<Agent>> agents_;
    std::vector<std::vector<Vec2>> trails_;
    map::OccupancyGrid seen_;
    Instant next_look_{};
    Instant began_{};
    Instant next_trouble_{};
    std::size_t next_event_ = 0;
    std::optional<std::size_t> only_;  ///< target of the current event; nullopt: random
};

}  // namespace caribou::sim
