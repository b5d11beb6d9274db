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
#include "data/body_fault.hpp"

namespace caribou::motion {

struct WheelSpeeds {
    double right = 0.0;  ///< m/s, negative backward
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

/// One sensor of a body. Its direction determines which direction of motion it protects.
struct SensorPlan {
    std::string name;
    SensorKind kind = SensorKind::range;
    Pose pose{};                  ///< in the robot's frame, whose origin is midway between the wheels
    double reach = 0.0;           ///< m; range of ranges and lidars
    bool required = false;        ///< the robot does not move without it
    bool can_power_down = false;  ///< and up again, without a restart

    friend bool operator==(const SensorPlan&, const SensorPlan&) = default;
};

/// The parts and dimensions of a body. Constant during its lifetime.
struct BodyPlan {
    double radius = 0.15;             ///< m; hull around the point midway between the wheels
    double wheel_base = 0.24;         ///< m; distance between the wheels
    double metres_per_tick = 0.0005;  ///< distance that a wheel rolls
    double max_speed = 0.6;           ///< m/s; limit of a wheel
    std::vector<SensorPlan> sensors{};
};

/// A scan, in the frame of the lidar's pose.
struct LidarScan {
    double first_angle = 0.0;     ///< rad, in the lidar's frame
    double angle_step = 0.0;      ///< rad, counter-clockwise
    std::vector<float> ranges{};  ///< m; infinite: no echo within range; NaN: no reading
};

struct ImuReading {
    double yaw_rate = 0.0;      ///< rad/s, positive to the left
    double acceleration = 0.0;  ///< m/s2, forward
    double tilt = 0.0;          ///< rad, from upright

    friend bool operator==(const ImuReading&, const ImuReading&) = default;
};

struct BatteryReading {
    double level = 1.0;  ///< 0 to 1
    double volts = 0.0;
    double amperes = 0.0;  ///< positive while charging

    friend bool operator==(const BatteryReading&, const BatteryReading&) = default;
};

struct ChargerReading {
    bool contact = false;
    double amperes = 0.0;

    friend bool operator==(const ChargerReading&, const ChargerReading&) = default;
};

struct SeenCube {
    Pose pose{};         ///< relative to the robot; the heading is undefined
    std::string name{};  ///< as its radio advertises it; empty if the eyes cannot tell which cube it is

    friend bool operator==(const SeenCube&, const SeenCube&) = default;
};

/// Recognized objects, with poses relative to the robot.
struct Sights {
    std::vector<SeenCube> cubes{};  ///< nearest first
    std::optional<Pose> dock{};

    friend bool operator==(const Sights&, const Sights&) = default;
};

/// No valid reading: the sensor is dead, powered down, or has been silent for too long.
using NoReading = std::monostate;

/// | kind                  | reading                                             |
/// |-----------------------|-----------------------------------------------------|
/// | encoders              | std::int64_t: tick count, increasing when forward   |
/// | range                 | double: m; infinite: no echo within range           |
/// | lidar                 | the latest scan; a new object per scan              |
/// | bumper, cliff         | bool: pressed; no floor                             |
/// | emergency_stop        | bool: stop                                          |
/// | eyes                  | the objects in sight                                |
using SensorReading = std::variant<NoReading, bool, std::int64_t, double, std::shared_ptr<const LidarScan>,
                                   ImuReading, BatteryReading, ChargerReading, std::shared_ptr<const Sights>>;

/// Result of self_check() for one part.
struct PartCheck {
    std::string part;  ///< the sensor's name, or `motors`
    bool required = false;
    Result<void> outcome;
};

/// A fault of a body that can be simulated.
using data::BodyFault;

enum class BodyLights : std::uint8_t { off, asleep, awake, driven, alarm };

/// Motors and sensors, real or simulated. Calls should not block: slow devices are read in the background.
/// Must be called from one thread at a time, except for cut_motors.
class Body {
public:
    virtual ~Body() = default;
    virtual const BodyPlan& plan() const = 0;
    /// Returns the latest reading of plan().sensors[sensor].
    virtual SensorReading read(std::size_t sensor) = 0;

    /// Motors are disabled initially. Disabling stops them at once.
    virtual Result<void> enable_motors(bool enabled) = 0;
    virtual bool motors_enabled() = 0;
    /// Sets the speeds; ignored while the motors are disabled.
    virtual void drive(WheelSpeeds speeds) = 0;
    /// Disables the motors until they are enabled again. For the watchdog: thread-safe, also while another
    /// call hangs, and never blocked by one. Returns an error unless the motors are known to be off: the
    /// order failed, or reading back contradicts it. Bodies without motors (sim, null) are cut from other
    /// threads through LockedBody::Deferred.
    virtual Result<void> cut_motors() = 0;
    /// Returns the error reported by the motor driver; empty if there is none.
    virtual std::string motor_fault() = 0;
    /// Returns why the body cannot be driven at present, or an empty text. Unlike a motor fault it may pass:
    /// meanwhile the motors count as off, and afterwards they can be enabled again.
    virtual std::string absence() { return {}; }
    /// Returns whether no wheel can still turn for an order to move: none was given, or a later order to rest
    /// was carried out. A body that carries orders out within drive() needs not confirm anything.
    virtual bool confirms_rest() { return true; }

    /// Switches a sensor's power. Refused for a sensor that cannot be powered up again.
    virtual Result<void> set_power(std::size_t sensor, bool on) = 0;
    virtual void set_lights(BodyLights lights) = 0;
    /// Checks all sensors and the motors, without moving.
    virtual std::vector<PartCheck> self_check() = 0;

    /// Returns the faults that can be simulated; none for a real body.
    virtual std::vector<BodyFault> faults() { return {}; }
    /// Causes or removes a simulated fault.
    virtual Result<void> set_fault(std::string_view name, bool broken) {
        static_cast<void>(name), static_cast<void>(broken);
        return fail(Code::unavailable, "only a simulated body can be broken");
    }
};

}  // namespace caribou::motion
