#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "devices/lidar.hpp"
#include "devices/odometry_trail.hpp"
#include "motion/body.hpp"

namespace caribou::devices {

/// How a lidar is mounted.
struct LidarMount {
    Pose pose{};  ///< in the robot's frame, with the lidar's front in its heading
    bool upside_down = false;
};

/// Makes scans of the turns of a lidar: an even grid of directions, as seen from where the robot is at the
/// end of the turn, however it has moved meanwhile.
class ScanMaker final : public PointSink {
public:
    static constexpr std::size_t directions = 360;
    /// Fewer points are not a turn.
    static constexpr std::size_t fewest_points = 60;

    /// `trail` outlives it.
    ScanMaker(LidarMount mount, const OdometryTrail& trail) : mount_(mount), trail_(trail) {}

    void add(const LidarPoint& point) override;
    void end_turn() override;
    /// Discards what was measured: the lidar was lost.
    void restart();

    /// Returns the scan of the last whole turn, another object for each; null before the first one.
    const std::shared_ptr<const motion::LidarScan>& scan() const { return scan_; }
    /// Returns the time of its last point.
    Instant ended() const { return ended_; }

private:
    static constexpr std::size_t most_points = 20 * directions;

    LidarMount mount_;
    const OdometryTrail& trail_;
    bool is_whole_ = false;  ///< the turn was seen from its beginning
    std::vector<LidarPoint> points_;
    std::shared_ptr<const motion::LidarScan> scan_;
    Instant ended_{};
};

}  // namespace caribou::devices
