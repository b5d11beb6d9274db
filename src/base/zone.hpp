#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/geometry.hpp"
#include "base/result.hpp"

namespace caribou {

/// What a robot does about a zone.
enum class ZoneKind : std::uint8_t {
    keep_out,  ///< it stays outside
    speed,     ///< it is slow inside
};
std::string_view to_string(ZoneKind kind);

/// A part of a map for which there is a rule.
struct Zone {
    static constexpr std::size_t max_zones = 32;  ///< of a map
    static constexpr std::size_t max_corners = 32;
    static constexpr double least_speed = 0.05;  ///< m/s
    static constexpr double most_speed = 5.0;    ///< m/s

    std::string name{};
    ZoneKind kind = ZoneKind::keep_out;
    double speed = 0;             ///< m/s; limit in a speed zone
    std::vector<Vec2> corners{};  ///< of a polygon, in order, in the frame of the map

    friend bool operator==(const Zone&, const Zone&) = default;
};

/// Checks name, speed and corners: a polygon of at least three corners whose sides do not cross.
Result<void> check_zone(const Zone& zone);

/// Returns the distance in meters from a point to the nearest side of the polygon: negative inside, infinite
/// without corners.
double signed_distance(std::span<const Vec2> corners, Vec2 at);

}  // namespace caribou
