#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// What a robot shows of itself beyond telemetry, each as a topic that somebody may read.
namespace caribou::views {

enum class View : std::uint8_t {
    scan,       ///< the whole lidar
    map,        ///< what it knows of the floor
    places,     ///< the dock and the cubes on it; comes with the map
    behaviors,  ///< the tree, the stack, and why the others sleep
    cubes,      ///< the connection to a cube, and what the cube says
    bus,        ///< variables and clients of the bus that it is on
    topics,     ///< how scan and map were negotiated
    health,     ///< its threads, its start, the modes that it may go to
};
inline constexpr std::size_t view_count = 8;
inline constexpr std::array<View, view_count> all_views{View::scan,  View::map, View::places, View::behaviors,
                                                        View::cubes, View::bus, View::topics, View::health};

/// As in the station's interface, and at the end of the topic.
std::string_view to_string(View view);
/// None: there is no such view.
std::optional<View> view_from(std::string_view name);

/// `/rover_2/scan` of `rover-2`: a name that every transport takes.
std::string topic_of(std::string_view robot, View view);

}  // namespace caribou::views
