#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/geometry.hpp"

namespace caribou::marine {

/// How a list of way-points is followed, with the words of BHV_Waypoint.
struct WaypointSettings {
    std::vector<Vec2> points{};
    double speed = 1;                         ///< m/s
    double capture_radius = 3;                ///< meters
    double slip_radius = 15;                  ///< has no effect unless greater than capture_radius
    bool capture_line = false;                ///< also advance when the line through the point is passed
    std::optional<std::uint64_t> repeat = 0;  ///< further rounds; nullopt: without end
    double lead = -1;  ///< meters ahead on the leg to steer at; negative: the point itself
};

/// Follows way-points: advances to the next one when the vehicle is near, or has been near and leaves.
class Waypoints {
public:
    explicit Waypoints(WaypointSettings settings);

    /// Begins again at the first point, or at `index`.
    void restart(std::size_t index = 0);
    /// Updates with the position of the vehicle. Returns the point to steer at, or nullopt after the last
    /// one.
    std::optional<Vec2> steer(Vec2 position);

    const WaypointSettings& settings() const { return settings_; }
    std::size_t index() const { return index_; }
    std::uint64_t rounds() const { return rounds_; }      ///< completed
    std::uint64_t captured() const { return captured_; }  ///< points that were reached
    std::uint64_t passed() const { return passed_; }      ///< points that were reached or slipped by
    bool done() const { return done_; }
    /// Returns the point that is next. Must not be called when done.
    Vec2 next() const { return settings_.points[index_]; }

private:
    bool arrived(Vec2 position);
    void advance();
    Vec2 steering_point(Vec2 position) const;

    WaypointSettings settings_;
    std::size_t index_ = 0;
    std::uint64_t rounds_ = 0;
    std::uint64_t captured_ = 0;
    std::uint64_t passed_ = 0;
    std::optional<Vec2> leg_start_{};  ///< nullopt on the first leg
    std::optional<double> closest_{};
    bool done_ = false;
};

/// Returns the number of the vertex from which a loiter around `vertices` continues: the nearest one.
std::size_t nearest_vertex(const std::vector<Vec2>& vertices, Vec2 position);

}  // namespace caribou::marine
