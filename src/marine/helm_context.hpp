#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "behavior/class_registry.hpp"
#include "marine/waypoints.hpp"

namespace caribou::marine {

struct HelmOrder {
    double heading = 0;             ///< degrees
    double speed = 0;               ///< m/s
    std::optional<double> depth{};  ///< meters

    friend bool operator==(const HelmOrder&, const HelmOrder&) = default;
};

/// What a behavior follows, for the view and the reports.
struct HelmCourse {
    std::vector<Vec2> points{};
    bool closed = false;
    std::optional<Vec2> next{};   ///< the point that is next
    std::optional<Vec2> track{};  ///< the point to steer at, if it is another one
    std::size_t index = 0;        ///< of the next point
    std::uint64_t captured = 0, passed = 0, rounds = 0;

    friend bool operator==(const HelmCourse&, const HelmCourse&) = default;
};

/// What the actions of a helm read and write in a tick.
struct HelmContext {
    // The vehicle.
    Vec2 position{};
    double speed = 0;
    // The decision of this tick.
    std::optional<HelmOrder> order{};
    std::optional<HelmCourse> course{};
    std::vector<std::pair<std::string, std::string>> posts{};  ///< variables and values
};

/// Adds the actions `waypoints`, `loiter`, `station_keep` and `post`, and the facts of a helm: `bus:NAME`,
/// `x`, `y`, `speed` and `heading`. The context must outlive everything that is created from the registry.
void register_helm_classes(behavior::ClassRegistry& classes, HelmContext& context);

}  // namespace caribou::marine
