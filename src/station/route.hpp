#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/geometry.hpp"
#include "base/result.hpp"

namespace caribou::station {

/// Way-points that are visited one after another, as docs/formats/route.md lays it out.
struct Route {
    std::string name = "route";
    std::vector<Vec2> points{};
    int rounds = 1;      ///< 0: until somebody ends it
    int level = 2;       ///< the highest speed, from 1 to 3
    double near = 0.15;  ///< m within which a point is reached

    friend bool operator==(const Route&, const Route&) = default;
};

struct RouteLimits {
    static constexpr std::size_t points = 1000;
    static constexpr double far = 1000;  ///< m from the origin
    static constexpr std::size_t name = 64;
};

/// Reads the TOML of a route file. The error has every fault, a line each: `file:line:column: what`.
Result<Route> read_route(std::string_view text, std::string path);
/// Reads points as they are written on a command line: `1.5,2`.
Result<Vec2> read_point(std::string_view text);
/// As read_route reads it.
std::string to_string(const Route& route);

}  // namespace caribou::station
