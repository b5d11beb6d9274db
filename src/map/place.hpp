#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/pose.hpp"
#include "base/result.hpp"

namespace caribou::map {

/// A place on a map that a person has named.
struct Place {
    std::string name;
    Pose pose{};

    friend bool operator==(const Place&, const Place&) = default;
};

/// Limit of all coordinates on a map, in meters from the origin of its frame.
inline constexpr double farthest = 10'000;
inline constexpr std::size_t max_places = 64;
/// The name of the charger's place. It belongs to every map whose dock is known, and to no other place.
inline constexpr std::string_view dock_name = "dock";

/// Checks the name of a place: letters, digits, `-` and `_`, and not `dock`.
Result<void> check_place_name(std::string_view name);

}  // namespace caribou::map
