#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// The data that a robot publishes about itself in addition to telemetry, each as a topic of its own.
namespace caribou::views {

enum class View : std::uint8_t {
    scan,       ///< the complete lidar scan
    map,        ///< its map of the floor
    camera,     ///< what its camera sees
    places,     ///< the dock and the cubes on the map; sent with the map
    plan,       ///< what it does and why in one sentence, its goal, and the path to it
    behaviors,  ///< the tree, the stack, and why the other behaviors are inactive
    cubes,      ///< the connection to a cube, and the cube's state
    bus,        ///< variables and clients of the bus it is connected to
    topics,     ///< how scan and map were negotiated
    health,     ///< its threads, its startup, the modes it may enter
};
inline constexpr std::size_t view_count = 10;
inline constexpr std::array<View, view_count> all_views{
    View::scan,      View::map,   View::camera, View::places, View::plan,
    View::behaviors, View::cubes, View::bus,    View::topics, View::health};

/// Returns the name of the view in the station's interface, which is also the last part of the topic.
std::string_view to_string(View view);
/// Returns the view of that name, or nullopt if there is none.
std::optional<View> view_from(std::string_view name);

/// Returns the topic of a view, such as `/rover_2/scan` for `rover-2`. Every transport accepts the name.
std::string topic_of(std::string_view robot, View view);

}  // namespace caribou::views
