#pragma once

#include <optional>

#include "devices/device_time.hpp"
#include "devices/ld_codec.hpp"
#include "devices/lidar.hpp"

namespace caribou::devices {

/// An LDROBOT LD06 or LD19, which sends by itself from power on, and takes no commands: it has no line to
/// receive them.
class LdLidar final : public Lidar {
public:
    /// `sink` outlives it.
    explicit LdLidar(PointSink& sink) : sink_(sink) {}

    double reach() const override { return 12.0; }
    int baud() const override { return 230'400; }
    void begin(Instant now) override;
    void on_bytes(ByteView bytes, Instant now) override;
    void tick(Instant) override {}
    void end() override {}

    static constexpr double points_per_second = 4500;

private:
    /// `last` is the time of its last point.
    void take(const ld::Frame& frame, Instant last);
    Duration device_time(int stamp);

    PointSink& sink_;
    ld::FrameReader reader_;
    DeviceTime time_;
    std::optional<int> stamp_;       ///< of the last frame
    Duration elapsed_{};             ///< by the stamps
    std::optional<double> degrees_;  ///< of the last point
};

}  // namespace caribou::devices
