#include "base/zone.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/path_name.hpp"

namespace caribou {
namespace {

constexpr double farthest_corner = 10'000;  // m, from the origin of the map
constexpr double shortest_side = 0.01;      // m

double distance_to_side(Vec2 from, Vec2 to, Vec2 at) {
    const Vec2 way = to - from;
    const double share = std::clamp(dot(at - from, way) / std::max(dot(way, way), 1e-12), 0.0, 1.0);
    return distance(at, from + way * share);
}

/// Returns whether two sides have a point in common.
bool do_meet(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
    const auto side = [](Vec2 from, Vec2 to, Vec2 at) { return cross(to - from, at - from); };
    if (side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0) return true;
    constexpr double touch = 1e-9;
    return std::min({distance_to_side(a, b, c), distance_to_side(a, b, d), distance_to_side(c, d, a),
                     distance_to_side(c, d, b)}) < touch;
}

Result<void> check_corners(std::span<const Vec2> corners) {
    const std::size_t count = corners.size();
    if (count < 3)
        return fail(Code::invalid_argument, fmt::format("a zone needs at least 3 corners, found {}", count));
    if (count > Zone::max_corners)
        return fail(Code::limit_exceeded, limit_reached("max_corners", count, Zone::max_corners, "corners"));
    for (std::size_t i = 0; i < count; ++i) {
        const Vec2 from = corners[i];
        const Vec2 to = corners[(i + 1) % count];
        if (!(std::abs(from.x) <= farthest_corner) || !(std::abs(from.y) <= farthest_corner))
            return fail(Code::invalid_argument,
                        fmt::format("corner {} is not within {:.0f} m of 0, 0", i + 1, farthest_corner));
        if (distance(from, to) < shortest_side)
            return fail(Code::invalid_argument,
                        fmt::format("the corners {} and {} are the same", i + 1, (i + 1) % count + 1));
        if (distance_to_side(from, to, corners[(i + 2) % count]) < 1e-9)
            return fail(Code::invalid_argument,
                        fmt::format("the sides at corner {} cover each other", (i + 1) % count + 1));
        for (std::size_t j = i + 2; j < count; ++j)
            if ((j + 1) % count != i && do_meet(from, to, corners[j], corners[(j + 1) % count]))
                return fail(Code::invalid_argument,
                            fmt::format("the sides after the corners {} and {} cross", i + 1, j + 1));
    }
    return {};
}

}  // namespace

std::string_view to_string(ZoneKind kind) { return kind == ZoneKind::keep_out ? "keep_out" : "speed"; }

Result<void> check_zone(const Zone& zone) {
    if (const auto good = check_path_name(zone.name); !good) return good;
    if (zone.kind == ZoneKind::speed && !(zone.speed >= Zone::least_speed && zone.speed <= Zone::most_speed))
        return fail(Code::invalid_argument, fmt::format("expected a speed from {} to {} m/s, found {}",
                                                        Zone::least_speed, Zone::most_speed, zone.speed));
    return check_corners(zone.corners);
}

double signed_distance(std::span<const Vec2> corners, Vec2 at) {
    double nearest = std::numeric_limits<double>::infinity();
    bool is_inside = false;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Vec2 from = corners[i];
        const Vec2 to = corners[(i + 1) % corners.size()];
        nearest = std::min(nearest, distance_to_side(from, to, at));
        // A ray along the x axis crosses the sides of a polygon around it an odd number of times.
        if ((from.y > at.y) != (to.y > at.y) &&
            at.x < from.x + (to.x - from.x) * (at.y - from.y) / (to.y - from.y))
            is_inside = !is_inside;
    }
    return is_inside ? -nearest : nearest;
}

}  // namespace caribou
