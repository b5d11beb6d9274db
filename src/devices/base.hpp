#pragma once

#include <cstdint>
#include <string>

#include "base/bytes.hpp"
#include "loop/time.hpp"
#include "motion/body.hpp"

namespace caribou::devices {

/// A robot base on a serial port: a state machine over its bytes and the time. The caller opens the port and
/// calls begin(), passes on what arrives, and calls tick() about every 5 ms.
class Base {
public:
    virtual ~Base() = default;

    virtual const motion::BodyPlan& plan() const = 0;
    virtual void begin(Instant now) = 0;
    virtual void on_bytes(ByteView bytes, Instant now) = 0;
    virtual void tick(Instant now) = 0;
    /// Orders rest and leaves the device as it was before begin().
    virtual void end() = 0;

    /// Returns whether the device has answered and all its sensors have been read.
    virtual bool is_ready() const = 0;
    /// Returns why the device is lost since it was ready, or an empty text.
    virtual std::string trouble() const = 0;
    virtual motion::SensorReading read(std::size_t sensor) const = 0;

    virtual void enable(bool enabled) = 0;
    /// Returns whether the device takes orders to move now.
    virtual bool takes_orders() const = 0;
    virtual void drive(motion::WheelSpeeds speeds) = 0;
    virtual void set_lights(motion::BodyLights lights) = 0;

    /// How long after the last order the device stops by itself; -1: it does not.
    virtual std::int32_t stops_without_feed_ms() const = 0;
    /// What stops a device that does not stop by itself.
    virtual Bytes stop_frame() const = 0;
};

}  // namespace caribou::devices
