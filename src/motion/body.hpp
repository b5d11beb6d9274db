#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/pose.hpp"
#include "base/result.hpp"

namespace caribou::motion {

struct WheelSpeeds {
    double right = 0.0;  ///< m/s, backwards below zero
    double left = 0.0;   ///< m/s

    friend bool operator==(const WheelSpeeds&, const WheelSpeeds&) = default;
};

enum class SensorKind : std::uint8_t {
    encoder_right,
    encoder_left,
    range,
    lidar,
    bumper,
    cliff,
    imu,
    battery,
    charger,
    emergency_stop,
    eyes,
};
std::string_view to_string(SensorKind kind);

/// One sensor of a body. Where it looks decides what it protects: ahead, behind or aside.
struct SensorPlan {
    std::string name;
    SensorKind kind = SensorKind::range;
    Pose pose{};                  ///< in the robot's frame, from the middle between the wheels
    double reach = 0.0;           ///< m; of ranges and lidars
    bool required = false;        ///< without it the robot does not move
    bool can_power_down = false;  ///< and up again, without a restart

    friend bool operator==(const SensorPlan&, const SensorPlan&) = default;
};

/// What a body consists of. Does not change while it lives.
struct BodyPlan {
    double radius = 0.15;             ///< m, of the hull, around the middle between the wheels
    double wheel_base = 0.24;         ///< m, from wheel to wheel
    double metres_per_tick = 0.0005;  ///< that a wheel rolls
    double max_speed = 0.6;           ///< m/s that a wheel can do
    std::vector<SensorPlan> sensors{};
};

/// Distances all around, from the lidar's pose.
struct LidarScan {
    double first_angle = 0.0;     ///< rad, in the lidar's frame
    double angle_step = 0.0;      ///< rad, to the left
    std::vector<float> ranges{};  ///< m; infinite: nothing within reach; not a number: no reading
};

struct ImuReading {
    double yaw_rate = 0.0;      ///< rad/s, to the left
    double acceleration = 0.0;  ///< m/s2, ahead
    double tilt = 0.0;          ///< rad, from upright

    friend bool operator==(const ImuReading&, const ImuReading&) = default;
};

struct BatteryReading {
    double level = 1.0;  ///< 0 to 1
    double volts = 0.0;
    double amperes = 0.0;  ///< into the battery above zero

    friend bool operator==(const BatteryReading&, const BatteryReading&) = default;
};

struct ChargerReading {
    bool contact = false;
    double amperes = 0.0;

    friend bool operator==(const ChargerReading&, const ChargerReading&) = default;
};

/// What a robot recognises around it, each where it is seen from the robot.
struct Sights {
    std::vector<Pose> cubes{};  ///< the nearest first; their headings say nothing
    std::optional<Pose> dock{};

    friend bool operator==(const Sights&, const Sights&) = default;
};

/// Nothing valid: it is dead, powered down, or has said nothing for longer than it may.
using NoReading = std::monostate;

/// | kind                  | reading                                            |
/// |-----------------------|----------------------------------------------------|
/// | encoders              | std::int64_t: ticks since whenever, ahead upwards  |
/// | range                 | double: m; infinite: nothing within reach          |
/// | lidar                 | the latest scan; another object for each one       |
/// | bumper, cliff         | bool: pressed; no floor there                      |
/// | emergency_stop        | bool: it says stop                                 |
/// | eyes                  | what is seen at the moment                         |
using SensorReading = std::variant<NoReading, bool, std::int64_t, double, std::shared_ptr<const LidarScan>,
                                   ImuReading, BatteryReading, ChargerReading, std::shared_ptr<const Sights>>;

/// What self_check() found out about one part.
struct PartCheck {
    std::string part;  ///< the sensor's name, or `motors`
    bool required = false;
    Result<void> outcome;
};

/// Something of a body that can be broken for a trial.
struct BodyFault {
    std::string name;
    bool broken = false;
    std::string about{};
    bool ends = false;  ///< a robot that drives with it goes to RM0
};

enum class BodyLights : std::uint8_t { off, asleep, awake, driven, alarm };

/// Motors and sensors, real or simulated. Calls should not wait: slow devices are read ahead elsewhere.
/// One thread at a time calls it, except for cut_motors.
class Body {
public:
    virtual ~Body() = default;
    virtual const BodyPlan& plan() const = 0;
    /// The latest reading of plan().sensors[sensor].
    virtual SensorReading read(std::size_t sensor) = 0;

    /// Motors are disabled at first. Disabling stops them at once.
    virtual Result<void> enable_motors(bool enabled) = 0;
    virtual bool motors_enabled() = 0;
    /// From now on; ignored while they are disabled.
    virtual void drive(WheelSpeeds speeds) = 0;
    /// Disables the motors until they are enabled again. For the watchdog: any thread may call it, also
    /// while another call hangs; it waits for none of them. Returns an error if the motors are not known
    /// to be off afterwards: the order failed, or reading back contradicts it.
    /// Bodies without motors (sim, null) are cut from other threads through LockedBody::Deferred.
    virtual Result<void> cut_motors() = 0;
    /// What the driver of the motors complains about; empty: nothing.
    virtual std::string motor_fault() = 0;

    /// Refused for a sensor that could not be powered up again.
    virtual Result<void> set_power(std::size_t sensor, bool on) = 0;
    virtual void set_lights(BodyLights lights) = 0;
    /// Every sensor and the motors, without moving.
    virtual std::vector<PartCheck> self_check() = 0;

    /// What can be broken; a real body has nothing to offer here.
    virtual std::vector<BodyFault> faults() { return {}; }
    /// Breaks or mends one of them.
    virtual Result<void> set_fault(std::string_view name, bool broken) {
        static_cast<void>(name), static_cast<void>(broken);
        return fail(Code::unavailable, "only a simulated body can be broken");
    }
};

}  // namespace caribou::motion
