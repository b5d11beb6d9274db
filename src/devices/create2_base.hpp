#pragma once

#include <optional>
#include <string>

#include "base/log.hpp"
#include "devices/base.hpp"
#include "devices/create2_codec.hpp"
#include "devices/device_port.hpp"

namespace caribou::devices {

/// An iRobot Create 2, or a Roomba of the series 500 and 600.
///
/// The robot's mode follows what it has to do: *passive* while the motors are disabled, and at rest on the
/// dock, so that it charges; *full* to leave the dock, where *safe* ends at once; *safe* otherwise, in which
/// the robot itself stops at a cliff and when it is lifted. Nothing is ordered while a wheel hangs.
class Create2Base final : public Base {
public:
    /// `port` and `log` outlive it.
    Create2Base(DevicePort& port, Log& log);

    const motion::BodyPlan& plan() const override { return plan_; }
    void begin(Instant now) override;
    void on_bytes(ByteView bytes, Instant now) override;
    void tick(Instant now) override;
    void end() override;
    bool is_ready() const override { return heard_.has_value(); }
    std::string trouble() const override { return trouble_; }
    motion::SensorReading read(std::size_t sensor) const override;
    void enable(bool enabled) override;
    bool takes_orders() const override;
    void drive(motion::WheelSpeeds speeds) override;
    void set_lights(motion::BodyLights lights) override;
    std::int32_t stops_without_feed_ms() const override { return -1; }
    Bytes stop_frame() const override;

    static constexpr int baud = 115200;
    static constexpr Duration sensor_period = std::chrono::milliseconds(15);
    /// Without a frame for so long the robot counts as lost.
    static constexpr Duration silence_limit = std::chrono::milliseconds(500);

private:
    enum class Phase { starting, streaming, pulsing, waking };

    void enter(Phase phase, Instant now);
    void take(const create2::Values& values, Instant now);
    void follow_mode(Instant now);
    create2::Mode wanted_mode(Instant now) const;
    void keep_awake(Instant now);
    void show_lights();
    void count(Instant now);
    void report_beams(const create2::Values& values);
    bool is_lifted() const;
    bool is_on_dock() const { return values_.at(create2::packet::charging_sources) != 0; }
    bool moves() const { return ordered_ != motion::WheelSpeeds{}; }

    DevicePort& port_;
    Log& log_;
    motion::BodyPlan plan_;
    create2::StreamReader reader_;
    Phase phase_ = Phase::starting;
    Instant phase_since_{};
    std::optional<Instant> heard_;  ///< the last frame
    std::string trouble_;
    create2::Values values_;
    create2::EncoderCount left_;
    create2::EncoderCount right_;
    create2::DockBeams beams_;
    create2::Mode mode_ = create2::Mode::off;
    int mode_offset_ = 0;  ///< robots exist that report each mode one too high
    bool enabled_ = false;
    motion::WheelSpeeds ordered_{};
    Instant mode_asked_{};
    std::optional<Instant> docked_;  ///< the last frame on the dock
    Instant kept_awake_{};
    motion::BodyLights lights_ = motion::BodyLights::off;
    bool lights_shown_ = false;
};

}  // namespace caribou::devices
