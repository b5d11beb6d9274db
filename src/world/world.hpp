#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "loop/time.hpp"
#include "world/robot_model.hpp"
#include "world/senses.hpp"
#include "world/simulated_robot.hpp"
#include "world/terrain.hpp"
#include "world/world_plan.hpp"

namespace caribou::world {

using RobotId = std::size_t;
using CubeId = std::size_t;

/// A simulated floor with robots, advanced tick by tick. It has no clock: time passes only in advance(). The
/// same plan and the same calls give bit-identical results, regardless of how the time is divided into calls
/// of advance() and of which sensors are read.
class World {
public:
    static constexpr Duration tick = std::chrono::milliseconds(10);

    explicit World(WorldPlan plan);

    /// Adds a robot at the next unused start of the plan, or at a given pose. Returns Code::refused if the
    /// place is occupied, Code::not_found if the plan has no more starts.
    Result<RobotId> add_robot(RobotModel model = {}, std::optional<Pose> at = std::nullopt);

    /// Advances by as many whole ticks as have accumulated; the remainder is kept.
    void advance(Duration step);
    Duration now() const { return tick * ticks_; }

    /// Sets the commanded wheel speeds, which remain in force.
    void drive(RobotId robot, WheelSpeeds wanted);

    // Sensor readings. They refer to the last tick; nullopt means that the sensor is dead.
    std::optional<WheelTicks> encoders(RobotId robot) const;
    /// Returns one distance per range sensor, in the order of the model: meters from the hull, or
    /// reading::no_echo or reading::dead.
    std::span<const float> ranges(RobotId robot);
    /// Returns the current scan, computed on request at most once per tick, or nullptr if the lidar is dead.
    const LidarScan* lidar(RobotId robot);
    std::optional<Bumpers> bumpers(RobotId robot) const;
    std::optional<Cliffs> cliffs(RobotId robot) const;
    std::optional<Imu> imu(RobotId robot) const;
    bool wheels_on_floor(RobotId robot) const;
    Power power(RobotId robot) const;
    std::vector<CubeSight> cubes_in_sight(RobotId robot) const;
    /// Returns the pose of the charger in the robot's frame (x ahead, y to the left), or nullopt while the
    /// robot does not see its beacon.
    std::optional<Pose> charger_in_sight(RobotId robot) const;

    // Actions of people.
    void pick_up(RobotId robot);
    /// Returns Code::refused if the place is occupied.
    Result<void> put_down(RobotId robot, Pose at);
    /// A person puts in another battery, charged to the share `level`.
    void change_battery(RobotId robot, double level);
    void set_charger_present(bool present) { charger_present_ = present; }
    Result<void> move_cube(CubeId cube, Vec2 to);
    /// Makes the robot carry the cube along until move_cube() is called.
    void carry_cube(CubeId cube, RobotId robot);
    void tap_cube(CubeId cube) { ++cubes_[cube].taps; }
    /// Applies a fault now, and schedules its recovery if `until` is set.
    void befall(const Fault& fault);
    void apply(const Fault& fault);
    void undo(const Fault& fault);

    // Ground truth, for tests, pictures and reports.
    const WorldPlan& plan() const { return plan_; }
    std::size_t robot_count() const { return robots_.size(); }
    std::size_t cube_count() const { return cubes_.size(); }
    const RobotModel& model(RobotId robot) const { return robots_[robot].model; }
    const Pose& pose(RobotId robot) const { return robots_[robot].pose; }
    WheelSpeeds wheel_speeds(RobotId robot) const;
    /// What the motors were last told.
    WheelSpeeds wanted_speeds(RobotId robot) const;
    const Record& record(RobotId robot) const { return robots_[robot].record; }
    Vec2 cube_at(CubeId cube) const { return terrain_.round(cubes_[cube].round).at; }
    std::size_t cube_taps(CubeId cube) const { return cubes_[cube].taps; }
    std::optional<RobotId> carrier_of(CubeId cube) const { return cubes_[cube].carrier; }
    Vec2 obstacle_at(std::size_t obstacle) const { return terrain_.round(obstacle).at; }
    bool charger_present() const { return charger_present_; }
    const Terrain& terrain() const { return terrain_; }

private:
    struct Cube {
        std::size_t round;
        std::size_t taps = 0;
        std::optional<RobotId> carrier{};
    };

    /// An obstacle on its walk.
    struct Walker {
        std::size_t obstacle;     ///< its index, also that of its round object
        std::vector<Vec2> stops;  ///< its start and the places of its walk
        std::size_t next = 1;     ///< the place that it walks to
        bool returns = false;     ///< it walks back to its start
        Duration waits{};         ///< until it goes on
        Duration blocked{};       ///< for how long a robot has been in its way
        Vec2 velocity{};
    };

    void step();
    void step_robot(SimulatedRobot& robot);
    void step_walker(Walker& walker);
    void turn_back(Walker& walker);
    bool is_robot_ahead(const Walker& walker, Vec2 way) const;
    void run_faults();
    void spin(const SimulatedRobot& robot, Wheel& wheel) const;
    void roll(SimulatedRobot& robot);
    void move(SimulatedRobot& robot, Vec2 way);
    bool make_room(const SimulatedRobot& robot, Vec2& at, Vec2 velocity, Meeting& hardest);
    bool push(std::size_t round, Vec2 from, double reach);
    bool stands_clear(Vec2 at, double radius, std::size_t except) const;
    bool is_movable(std::size_t round) const;
    Vec2 velocity_of(std::size_t round) const;
    void feel(SimulatedRobot& robot) const;
    void power_up(SimulatedRobot& robot) const;
    void bring_cubes(const SimulatedRobot& robot);
    bool sees(const SimulatedRobot& robot, Vec2 at, double reach) const;
    /// Returns a deterministic noise value, which depends only on the arguments and the seed. Its standard
    /// deviation is 1.
    double noise(const SimulatedRobot& robot, Stray what, std::size_t index, std::int64_t moment) const;

    WorldPlan plan_;
    Terrain terrain_;
    std::vector<SimulatedRobot> robots_;
    std::vector<Cube> cubes_;
    std::vector<Walker> walkers_;
    std::size_t next_start_ = 0;
    std::size_t next_fault_ = 0;
    std::vector<Fault> mending_;
    bool charger_present_ = true;
    std::int64_t ticks_ = 0;
    Duration rest_{};
};

}  // namespace caribou::world
