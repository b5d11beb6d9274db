#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/log.hpp"
#include "driver/body_driver.hpp"
#include "loop/network.hpp"
#include "robot/running_world.hpp"
#include "robot/sim_body.hpp"

namespace caribou::sim {

/// A world that robots of other processes live in. Each connection drives one robot, which it names in its
/// first frame (Attach), and speaks the driver protocol from then on. A robot is added at the next start of
/// the world when it is named for the first time, and stays where it is while no connection drives it.
class WorldServer {
public:
    static constexpr std::size_t max_connections = 64;
    static constexpr Duration tick = std::chrono::milliseconds(10);

    /// Called with each changed order: `MICROSECONDS NAME LEFT RIGHT REASON`, by the monotonic clock, in m/s.
    using Trace = std::function<void(std::string_view line)>;

    /// `loop`, `network` and `log` outlive it.
    WorldServer(Loop& loop, Network& network, world::World world, Log& log, Trace trace = nullptr);
    ~WorldServer();

    Result<void> listen(const Address& at);
    const world::World& world() { return world_.now(); }

private:
    struct Robot {
        world::RobotId id{};
        std::unique_ptr<robot::SimBody> body;
        motion::WheelSpeeds ordered{};
    };
    class Connection;

    void accept(std::unique_ptr<Stream> stream);
    void advance();
    /// Returns the robot of that name, added if it is new.
    Result<Robot*> robot_of(const std::string& name);
    void record(const std::string& name, motion::WheelSpeeds ordered, std::string_view why);
    void drop(Connection& connection);
    /// Ends another connection that drives the robot: the latest one drives it.
    void drop_driver_of(const std::string& name, const Connection& except);

    Loop& loop_;
    Network& network_;
    Log& log_;
    Trace trace_;
    robot::RunningWorld world_;
    std::map<std::string, Robot> robots_;
    std::list<std::unique_ptr<Connection>> connections_;
    std::unique_ptr<Listener> listener_;
    std::unique_ptr<Timer> timer_;
    Instant next_tick_;
};

}  // namespace caribou::sim
