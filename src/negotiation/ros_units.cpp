#include "negotiation/ros_units.hpp"

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace caribou::negotiation {
namespace {

constexpr double degree = std::numbers::pi / 180;

const std::vector<std::pair<std::string, RosUnit>>& units() {
    static const std::vector<std::pair<std::string, RosUnit>> all{
        {"1", {}},
        {"m", {}},
        {"cm", {.factor = 0.01}},
        {"mm", {.factor = 0.001}},
        {"km", {.factor = 1000}},
        {"ft", {.factor = 0.3048}},
        {"nmi", {.factor = 1852}},
        {"m down", {.factor = -1}},
        {"rad", {.is_angle = true}},
        {"deg", {.factor = degree, .is_angle = true}},
        // Clockwise from north, as on a compass; REP-103 measures counter-clockwise from east.
        {"compass rad", {.factor = -1, .offset = std::numbers::pi / 2, .is_angle = true}},
        {"compass deg", {.factor = -degree, .offset = std::numbers::pi / 2, .is_angle = true}},
        {"m/s", {}},
        {"km/h", {.factor = 1 / 3.6}},
        {"kn", {.factor = 1852.0 / 3600}},
        {"rad/s", {}},
        {"deg/s", {.factor = degree}},
        {"clockwise rad/s", {.factor = -1}},
        {"clockwise deg/s", {.factor = -degree}},
        {"%", {.factor = 0.01}},
        {"V", {}},
        {"mV", {.factor = 0.001}},
        {"A", {}},
        {"mA", {.factor = 0.001}},
        {"degC", {}},
        {"K to degC", {.offset = -273.15}},
        {"s", {}},
        {"ms", {.factor = 0.001}},
    };
    return all;
}

}  // namespace

double RosUnit::from_ros(double value) const {
    const double converted = (value - offset) / factor;
    if (!is_angle || !std::isfinite(converted)) return converted;
    const double turn = std::abs(2 * std::numbers::pi / factor);
    // Compass angles range from 0 to a full turn, all others to half a turn in either direction.
    const double rest = std::fmod(converted, turn);
    if (offset != 0) return rest < 0 ? rest + turn : rest;
    if (rest > turn / 2) return rest - turn;
    return rest <= -turn / 2 ? rest + turn : rest;
}

const RosUnit* find_unit(std::string_view name) {
    for (const auto& [known, unit] : units())
        if (known == name) return &unit;
    return nullptr;
}

std::span<const std::string> known_units() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const auto& [name, unit] : units()) all.push_back(name);
        return all;
    }();
    return names;
}

PlanarRotation rotation_of(double yaw) { return {.z = std::sin(yaw / 2), .w = std::cos(yaw / 2)}; }

double yaw_of(double x, double y, double z, double w) {
    return std::atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
}

}  // namespace caribou::negotiation
