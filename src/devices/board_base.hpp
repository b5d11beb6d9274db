#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.hpp"
#include "devices/base.hpp"
#include "devices/device_port.hpp"
#include "devices/sensor_line.hpp"

namespace caribou::devices {

/// A microcontroller that drives the motors and reads the sensors, over lines of text
/// (docs/formats/sensor-lines.md). It stops by itself when no order has come for as long as it says.
class BoardBase final : public Base {
public:
    /// `port` and `log` outlive it.
    BoardBase(motion::BodyPlan plan, DevicePort& port, Log& log);

    const motion::BodyPlan& plan() const override { return plan_; }
    void begin(Instant now) override;
    void on_bytes(ByteView bytes, Instant now) override;
    void tick(Instant now) override;
    void end() override { say("stop"); }
    bool is_ready() const override;
    std::string trouble() const override { return trouble_; }
    motion::SensorReading read(std::size_t sensor) const override;
    void enable(bool enabled) override;
    bool takes_orders() const override { return enabled_ && trouble_.empty(); }
    void drive(motion::WheelSpeeds speeds) override;
    void set_lights(motion::BodyLights lights) override;
    std::int32_t stops_without_feed_ms() const override { return stops_without_feed_ms_.value_or(-1); }
    Bytes stop_frame() const override { return {}; }

    /// The age after which a reading is none.
    static constexpr Duration stale_after = std::chrono::milliseconds(250);
    /// Without a line for so long the board counts as lost.
    static constexpr Duration silence_limit = std::chrono::milliseconds(500);

private:
    struct Heard {
        motion::SensorReading reading{};
        Instant at{};
    };

    void take(std::string_view line, Instant now);
    void greet(std::string_view name, std::int32_t stop_ms);
    void say(std::string_view text);

    motion::BodyPlan plan_;
    DevicePort& port_;
    Log& log_;
    LineCutter lines_;
    std::vector<Heard> heard_;  ///< by sensor
    Instant now_{};
    Instant asked_{};
    Instant greeted_{};
    std::optional<Instant> line_at_;  ///< the last good one
    std::optional<std::int32_t> stops_without_feed_ms_;
    std::string trouble_;
    bool enabled_ = false;
};

}  // namespace caribou::devices
