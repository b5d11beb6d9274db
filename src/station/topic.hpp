#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "station/fleet_feed.hpp"

namespace caribou::station {

/// The data of a robot as JSON messages with a JSON Schema (docs/formats/topics.md): the same in recordings
/// and for clients of the Foxglove WebSocket protocol.
enum class Topic : std::uint8_t {
    // Rendered by programs that know the schemas `foxglove.…`.
    pose,
    transform,
    map_transform,
    odom_transform,
    scan,
    map,
    camera,
    scene,
    log,
    // Sections of the station's interface.
    status,
    motion,
    route,
    plan,
    behaviors,
    cubes,
    bus,
    topics,
    health,
    // In recordings only.
    command,
    answer,
};
inline constexpr std::size_t topic_count = 20;
/// Topics for clients of the Foxglove WebSocket protocol.
inline constexpr std::size_t live_topic_count = 18;

/// Bytes of an answer's text that recordings contain; the rest is cut off.
inline constexpr std::size_t recorded_answer_limit = 1000;

/// Returns the last part of the topic's name.
std::string_view to_string(Topic topic);
/// A name `/ROBOT/KIND`. The robot's name may contain slashes.
struct TopicName {
    std::string_view robot;
    std::string_view kind;
};
std::optional<TopicName> topic_name_in(std::string_view text);
/// Returns the name of its schema.
std::string_view schema_name(Topic topic);
/// Returns its JSON Schema. Views that robots write themselves are objects with any members.
std::string_view schema_text(Topic topic);
/// Returns the section that the messages of the topic are; nullopt if they are something else.
std::optional<Section> section_of(Topic topic);
/// Returns whether the topic depends on that view.
bool depends_on(Topic topic, views::View view);

}  // namespace caribou::station
