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

/// A floor with robots, moved on tick by tick. It has no clock: `advance` is all that time does to it.
/// The same plan and the same calls give the same history to the bit, however `advance` is cut into
/// pieces and whichever sensors are read.
class World {
public:
    static constexpr Duration tick = std::chrono::milliseconds(10);

    explicit World(WorldPlan plan);

    /// At a start of the plan, each the next, or at a pose. refused: something stands there;
    /// not_found: the plan has no more starts.
    Result<RobotId> add_robot(RobotModel model = {}, std::optional<Pose> at = std::nullopt);

    /// As many whole ticks as have come together.
    void advance(Duration step);
    Duration now() const { return tick * ticks_; }

    /// What the motors are told; it stays in force.
    void drive(RobotId robot, WheelSpeeds wanted);

    // What sensors say. Values are those of the last tick; nothing: the sensor is dead.
    std::optional<WheelTicks> encoders(RobotId robot) const;
    /// One a range sensor, in the order of the model: metres from the hull, or reading::no_echo or dead.
    std::span<const float> ranges(RobotId robot);
    /// Cast when it is asked for, once a tick. Null: the lidar is dead.
    const LidarScan* lidar(RobotId robot);
    std::optional<Bumpers> bumpers(RobotId robot) const;
    std::optional<Cliffs> cliffs(RobotId robot) const;
    std::optional<Imu> imu(RobotId robot) const;
    bool wheels_on_floor(RobotId robot) const;
    Power power(RobotId robot) const;
    std::vector<CubeSight> cubes_in_sight(RobotId robot) const;
    /// The charger, while the robot sees its beacon: x is ahead of the robot, y to its left.
    std::optional<Pose> charger_in_sight(RobotId robot) const;

    // What people do.
    void pick_up(RobotId robot);
    /// refused: something stands there.
    Result<void> put_down(RobotId robot, Pose at);
    /// A person puts in another battery, charged to the share `level`.
    void change_battery(RobotId robot, double level);
    void set_charger_present(bool present) { charger_present_ = present; }
    Result<void> move_cube(CubeId cube, Vec2 to);
    /// Until it is moved, the cube goes where the robot goes.
    void carry_cube(CubeId cube, RobotId robot);
    void tap_cube(CubeId cube) { ++cubes_[cube].taps; }
    /// From now on, and until its `until` if it has one.
    void befall(const Fault& fault);
    void apply(const Fault& fault);
    void undo(const Fault& fault);

    // What is true, for tests, pictures and reports.
    const WorldPlan& plan() const { return plan_; }
    std::size_t robot_count() const { return robots_.size(); }
    std::size_t cube_count() const { return cubes_.size(); }
    const RobotModel& model(RobotId robot) const { return robots_[robot].model; }
    const Pose& pose(RobotId robot) const { return robots_[robot].pose; }
    WheelSpeeds wheel_speeds(RobotId robot) const;
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

    void step();
    void step_robot(SimulatedRobot& robot);
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
    /// What depends on nothing but the arguments and the seed.
    double noise(const SimulatedRobot& robot, Stray what, std::size_t index, std::int64_t moment) const;

    WorldPlan plan_;
    Terrain terrain_;
    std::vector<SimulatedRobot> robots_;
    std::vector<Cube> cubes_;
    std::size_t next_start_ = 0;
    std::size_t next_fault_ = 0;
    std::vector<Fault> mending_;
    bool charger_present_ = true;
    std::int64_t ticks_ = 0;
    Duration rest_{};
};

}  // namespace caribou::world
