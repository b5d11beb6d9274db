#pragma once

#include <optional>
#include <string>

#include "base/log.hpp"
#include "devices/device_port.hpp"
#include "devices/lidar.hpp"
#include "devices/rplidar_codec.hpp"

namespace caribou::devices {

/// A Slamtec RPLIDAR A1, A2 or C1. Asks for its model and health, starts its motor and a scan, and begins
/// again when it falls silent; with another baud rate if it has never answered.
class RplidarLidar final : public Lidar {
public:
    /// `baud` is tried first. `port`, `sink` and `log` outlive it.
    RplidarLidar(int baud, DevicePort& port, PointSink& sink, Log& log)
        : baud_(baud), port_(port), sink_(sink), log_(log) {}

    double reach() const override { return 12.0; }
    int baud() const override { return baud_; }
    void begin(Instant now) override;
    void on_bytes(ByteView bytes, Instant now) override;
    void tick(Instant now) override;
    void end() override;

    bool scans() const { return phase_ == Phase::nodes || phase_ == Phase::capsules; }

private:
    /// What it waits for.
    enum class Phase { silence, info, health, board_flags, scan, nodes, capsules, restart };

    void enter(Phase phase, Instant now);
    void ask(rplidar::Request what, Phase phase, Instant now);
    void begin_scan(Instant now);
    void take_reply(Instant now);
    void take_info(ByteView data, Instant now);
    void take_health(ByteView data, Instant now);
    void take_points(Instant now);
    void add(const rplidar::Point& point, Instant at);
    void give_up(Instant now);

    int baud_;
    DevicePort& port_;
    PointSink& sink_;
    Log& log_;
    Phase phase_ = Phase::silence;
    Instant phase_since_{};
    Instant heard_{};  ///< the last point
    Bytes bytes_;      ///< of a reply
    rplidar::NodeReader nodes_;
    rplidar::CapsuleReader capsules_;
    std::optional<rplidar::Info> info_;
    std::string health_;  ///< last reported problem
};

}  // namespace caribou::devices
