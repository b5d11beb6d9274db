#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/json_node.hpp"
#include "data/camera_image.hpp"
#include "data/motion.hpp"
#include "data/outcome.hpp"
#include "data/room_map.hpp"
#include "data/scan.hpp"
#include "data/status.hpp"
#include "loop/clock.hpp"
#include "station/robot_session.hpp"
#include "station/view_source.hpp"

/// The state of a robot as JSON (docs/formats/station-api.md).
namespace caribou::station {

/// Returns UNIX seconds by the station's clock, as used in JSON.
double unix_time(Instant at, const Clock& clock);

/// Sections and views of a robot, as they are described in src/data.
data::Status status_of(const RobotSession& session, std::span<const std::string> groups, const Clock& clock);
/// Returns nullopt if there is no telemetry.
std::optional<data::Motion> motion_of(const RobotSession& session, const Clock& clock);
/// Returns the whole scan, or the ranges of telemetry if `whole` is null, or nullopt if there is no
/// telemetry.
std::optional<data::Scan> scan_of(const RobotSession& session, const Clock& clock,
                                  const Encoded<wire::Scan>* whole);
/// `places` may be null.
data::RoomMap map_of(const RobotSession& session, const Encoded<wire::Grid>& map, const ShownText* places);
data::CameraImage camera_of(const RobotSession& session, const Encoded<wire::CameraImage>& image);
/// Returns runs of cells of the same kind: [kind, count, kind, count, …]. Kinds: 0 unknown, 1 free, 2
/// occupied.
std::vector<std::uint32_t> runs_of(std::span<const std::int8_t> cells);
/// Returns the content of a view that the robot publishes as JSON; the default if there is none, or if it is
/// malformed.
template <class T>
T read_shown(const ShownText* shown) {
    const auto node = shown ? read_json(shown->json) : std::unexpected(JsonFault{});
    return node ? data::from_json<T>(*node, "view").value_or(T{}) : T{};
}
/// Returns a view that the robot shows as JSON, with the member `at`.
std::string view_json(const RobotSession& session, const ShownText& text);

data::Outcome outcome_of(const link::Answer& answer);

}  // namespace caribou::station
