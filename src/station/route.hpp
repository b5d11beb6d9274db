#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/geometry.hpp"
#include "base/result.hpp"

namespace caribou::station {

/// Waypoints to be visited in order (docs/formats/route.md).
struct Route {
    std::string name = "route";
    std::vector<Vec2> points{};
    int rounds = 1;      ///< 0: until it is stopped
    int level = 2;       ///< maximum speed, 1 to 3
    double near = 0.15;  ///< m; distance at which a point is reached

    friend bool operator==(const Route&, const Route&) = default;
};

struct RouteLimits {
    static constexpr std::size_t points = 1000;
    static constexpr double far = 1000;  ///< m; limit of coordinates
    static constexpr std::size_t name = 64;
    static constexpr int rounds = 1'000'000;
    static constexpr int level = 3;
};

/// The version of route files that this program reads. A file without `version` has version 1.
inline constexpr int route_version = 1;

/// Parses the TOML of a route file. The error lists all problems, one per line: `file:line:column: what`.
Result<Route> read_route(std::string_view text, std::string path);
/// Parses a point in the notation of the command line: `1.5,2`.
Result<Vec2> read_point(std::string_view text);
/// Returns a text that read_route() accepts.
std::string to_string(const Route& route);

}  // namespace caribou::station
