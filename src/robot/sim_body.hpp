#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "motion/body.hpp"
#include "robot/running_world.hpp"

namespace caribou::robot {

struct SimBodySettings {
    Duration lidar_period = std::chrono::milliseconds(100);  ///< also of the eyes
    /// Names of sensors that are required for moving.
    std::vector<std::string> required = {"bumper_front", "cliff_front_left", "cliff_front_right"};
};

/// The body of a robot in a simulated world.
class SimBody final : public motion::Body {
public:
    /// The robot must have been added to the world, which must outlive this object.
    SimBody(RunningWorld& world, world::RobotId robot, const SimBodySettings& settings = {});

    const motion::BodyPlan& plan() const override { return plan_; }
    motion::SensorReading read(std::size_t sensor) override;
    Result<void> enable_motors(bool enabled) override;
    bool motors_enabled() override { return motors_on_; }
    void drive(motion::WheelSpeeds speeds) override;
    Result<void> cut_motors() override;
    /// Same, with effect from an earlier time. For a cut while the world was not advanced.
    void cut_motors_at(Instant at);
    std::string motor_fault() override { return {}; }
    Result<void> set_power(std::size_t sensor, bool on) override;
    void set_lights(motion::BodyLights lights) override { lights_ = lights; }
    std::vector<motion::PartCheck> self_check() override;
    std::vector<motion::BodyFault> faults() override;
    Result<void> set_fault(std::string_view name, bool broken) override;

    motion::BodyLights lights() const { return lights_; }
    /// Simulates pressing or releasing the emergency stop.
    void press_emergency_stop(bool pressed) { emergency_ = pressed; }

private:
    /// The index of a sensor's reading in the world: among the ranges, bumpers or cliffs.
    struct Sensor {
        std::size_t index = 0;
        bool powered = true;
    };
    void add(motion::SensorPlan sensor, std::size_t index = 0);
    void add_ring(const world::RobotModel& model);
    motion::SensorReading lidar();
    motion::SensorReading eyes();
    motion::SensorReading flag(motion::SensorKind kind, std::size_t index);
    std::vector<std::pair<std::string, world::Fault>> possible_faults();
    bool ends_driving(const world::Fault& fault) const;

    RunningWorld& world_;
    world::RobotId robot_;
    SimBodySettings settings_;
    motion::BodyPlan plan_;
    std::vector<Sensor> sensors_;
    std::shared_ptr<const motion::LidarScan> scan_;
    Duration scanned_at_{};
    std::shared_ptr<const motion::Sights> sights_;
    Duration looked_at_{};
    bool motors_on_ = false;
    bool emergency_ = false;
    motion::BodyLights lights_ = motion::BodyLights::off;
    std::set<std::string, std::less<>> broken_;
};

}  // namespace caribou::robot
