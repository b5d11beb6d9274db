#pragma once

#include <vector>

#include "base/geometry.hpp"
#include "loop/time.hpp"
#include "motion/body.hpp"
#include "motion/clearance.hpp"

namespace caribou::motion {

/// What scans have shown close by, in the frame of the odometry. A thin thing stands in one scan and between
/// two beams of the next; who drives past it has to know of it all the same.
class ObstacleMemory {
public:
    /// What no scan has shown for so long counts as gone.
    static constexpr Duration lasts = std::chrono::seconds(5);

    /// Keeps what is this far from the robot's middle, in metres.
    explicit ObstacleMemory(double reach) : reach_(reach) {}

    /// The lidar at `lidar` has seen this, on a robot at `robot`.
    void see(const Pose& robot, const Pose& lidar, const LidarScan& scan, Instant now);
    /// Tells what is kept, as it stands around a robot at `robot`.
    void add_to(Clearance& clearance, const Pose& robot) const;

private:
    struct Seen {
        Vec2 at;
        Instant last;
    };
    /// Points that are closer together count as one, the latest.
    static constexpr double grain = 0.03;

    void keep(Vec2 at, Instant now);

    double reach_;
    std::vector<Seen> seen_;  ///< bounded: within reach there is room for so many grains
};

}  // namespace caribou::motion
