#pragma once

#include <vector>

#include "base/geometry.hpp"
#include "loop/time.hpp"
#include "motion/body.hpp"
#include "motion/clearance.hpp"

namespace caribou::motion {

/// Nearby obstacles from recent scans, in the odometry frame. A thin object may appear in one scan and fall
/// between two beams of the next, but must not be forgotten while driving past it.
class ObstacleMemory {
public:
    /// An obstacle that no scan has shown for this time is forgotten.
    static constexpr Duration lasts = std::chrono::seconds(5);

    /// Keeps obstacles up to this distance from the robot's center, in m.
    explicit ObstacleMemory(double reach) : reach_(reach) {}

    /// Adds a scan of the lidar at `lidar`, on a robot at `robot`.
    void see(const Pose& robot, const Pose& lidar, const LidarScan& scan, Instant now);
    /// Adds the known obstacles, relative to a robot at `robot`.
    void add_to(Clearance& clearance, const Pose& robot) const;

private:
    struct Seen {
        Vec2 at;
        Instant last;
    };
    /// Points closer together than this count as one, the latest.
    static constexpr double grain = 0.03;

    void keep(Vec2 at, Instant now);

    double reach_;
    std::vector<Seen> seen_;  ///< bounded by the number of grains within reach
};

}  // namespace caribou::motion
