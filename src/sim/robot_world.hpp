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
#include "sim/wiretap.hpp"
#include "station/station.hpp"

namespace caribou::sim {

/// What a run is made of. Everything else comes from the seed.
struct RobotWorldOptions {
    std::size_t robots = 1;
    Duration time = std::chrono::seconds(60);
    /// Where they are. None: a room from the seed.
    std::optional<world::WorldPlan> plan{};
    std::vector<behavior::TreeText> tree{};
    std::function<std::shared_ptr<robot::Navigator>(behavior::ClassRegistry&, robot::AiControl&)>
        add_classes{};
    /// How often something befalls somebody, at most: once in this time. None: nothing ever does.
    std::optional<Duration> trouble = std::chrono::seconds(2);
    /// Everybody has proven a key, and datagrams are sealed. Else the link is plain.
    bool keyed = true;
    bool bus = true;  ///< they are on a bus, whose broker has its troubles, too
    /// In place of all limits on what a robot may hold, to see whether anything would be found.
    std::optional<std::size_t> most_held{};
    std::vector<ScriptedTrouble> script{};  ///< in order of time
    std::vector<world::Fault> faults{};     ///< besides those of the plan
    /// Is told what happens.
    std::function<void(std::string_view)> trace{};
    /// Called every simulated minute with the time that has passed. Returns whether to go on.
    std::function<bool(Duration)> progress{};
};

/// What came of one robot.
struct RobotStory {
    double distance = 0;           ///< m
    double fastest_collision = 0;  ///< m/s
    std::uint64_t dockings = 0;
    std::uint64_t commands = 0;
    std::uint64_t refused = 0;
    std::uint64_t starts = 0;   ///< of its program
    std::uint64_t carried = 0;  ///< to the charger by a person, because its battery was empty
    double battery = 0;         ///< at the end
    std::string mode{};         ///< at the end
};

/// What came of a run. Its seed gives the same run again.
struct RobotWorldReport {
    std::uint64_t seed = 0;
    Duration time{};        ///< simulated; shorter than `wanted` if a promise was broken
    Duration wanted{};      ///< of the options
    bool canceled = false;  ///< by options.progress
    /// What was broken first; empty: every promise held.
    std::vector<std::string> violations{};
    std::vector<RobotStory> robots{};
    double area_seen = 0;                             ///< m2 of free floor that some lidar has seen
    std::map<std::string, std::uint64_t> troubles{};  ///< that were met, by kind
};
std::string to_string(const RobotWorldReport& report);

/// Robots in a world, each with its program, and a station that drives them, on one virtual clock and one
/// network; and a seed that decides what befalls them: links are slow, lossy and cut, programs are killed
/// and started again, the wall clock jumps, sensors die, encoders lie, wheels block, people pick robots up
/// and take the charger away, operators change their minds, intruders dial robots without a key, with a wrong
/// one, with one that is not enough, or say again what the station has said, and somebody on the way sends
/// datagrams again. After every step
///
/// - no robot has moved but for a live source that may move it, by legal changes and within its limits
///   (motion::MotionAudit), and a full stop has stopped it in time,
/// - no run mode stands with a com mode that cannot carry it, and RM1 has its reason,
/// - every command has had exactly one final answer, in time, and none was carried out for somebody who was
///   not welcomed, or had not the role or the lease (CommandAudit),
/// - nobody was let in without a key that the robot knows (Intruder), and the station has taken no datagram
///   twice, or one that was altered (DatagramAudit),
/// - no cube is connected for nobody,
/// - nothing that a robot holds has grown beyond its limit (HeldAudit), and its configuration, disk full or
///   not, can be read again.
///
/// In the end everything is mended, and then, within a named time, the station has every robot again, and the
/// bus tells of each the mode that it is in (BusWitness).
class RobotWorld {
public:
    static constexpr const char* station_host = "station";
    static constexpr const char* broker_host = "broker";
    // Who else has a key of every robot: one may drive, one may look.
    static constexpr const char* friend_key = "friend";
    static constexpr const char* guest_key = "guest";

    RobotWorld(std::uint64_t seed, RobotWorldOptions options);
    ~RobotWorld();

    /// The whole run; once.
    RobotWorldReport run();

    const world::World& world() { return world_.now(); }
    /// What all lidars together have seen.
    const map::OccupancyGrid& seen() const { return seen_; }
    /// Where each robot has been.
    const std::vector<std::vector<Vec2>>& trails() const { return trails_; }

private:
    friend std::vector<std::string> trouble_names();

    struct Action {
        unsigned weight;
        std::string_view name;
        void (RobotWorld::*happen)();
    };
    struct Agent;
    /// What programs log is told as part of what happens.
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
    void violate(std::size_t index, std::string_view what);
    void tell(std::string_view what) const;
    void settle();
    void start_program(std::size_t index);
    void start_station();
    void pair(Agent& agent);
    std::uint64_t refused_datagrams() const;
    void count_refusals();  ///< of the station, before it goes
    void watch_outsiders();
    void start_broker();
    bool bus_is_right() const;
    void follow_orders();
    void tend(std::size_t index);
    void carry_to_charger(std::size_t index);
    void look_around();

    // What can happen: robot_world_actions.cpp.
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
    void change_network();
    void kill_program();
    void kill_station();
    void step_wall();
    void break_something();
    void move_charger();
    void drop_cube_link();
    void fill_disk();
    void kill_broker();
    void intrude();
    void replay_datagrams();
    void send(std::size_t index, std::string_view command);
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
    StreamWiretap said_;  ///< by the station
    TappedNetwork station_wire_{*station_network_, datagrams_, &said_};
    link::MemoryKeyBook station_keys_;
    link::KeyedNetwork station_streams_;
    std::unique_ptr<station::Station> station_;
    std::optional<Instant> station_back_;
    std::unique_ptr<Network> broker_network_;
    std::unique_ptr<bus::BrokerServer> broker_;  ///< null: there is no bus, or it was killed
    std::optional<Instant> broker_back_;
    std::unique_ptr<Network> witness_network_;
    std::unique_ptr<BusWitness> witness_;
    std::unique_ptr<Network> intruder_network_;
    std::unique_ptr<link::KeyedNetwork> intruder_streams_;
    std::unique_ptr<Intruder> intruder_;
    std::vector<std::unique_ptr<Agent>> agents_;
    std::vector<std::vector<Vec2>> trails_;
    map::OccupancyGrid seen_;
    Instant next_look_{};
    Instant began_{};
    Instant next_trouble_{};
    std::size_t next_event_ = 0;
    std::optional<std::size_t> only_;  ///< whom the present trouble befalls, if that is not left to chance
};

}  // namespace caribou::sim
