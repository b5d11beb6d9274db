#include "station/robot_json.hpp"

#include <cmath>

#include "base/geometry.hpp"
#include "base/json_node.hpp"
#include "base/json_writer.hpp"
#include "data/places.hpp"

namespace caribou::station {
namespace {

/// Converts a robot's time to our clock.
double our_time(const RobotSession& session, double robots) {
    return robots - session.clock_ahead().value_or(0);
}

data::Places places_in(const ShownText* shown) {
    if (!shown) return {};
    const auto node = read_json(shown->json);
    return node ? data::from_json<data::Places>(*node, "places").value_or(data::Places{}) : data::Places{};
}

/// Runs of cells of the same kind: 0 unknown, 1 free, 2 occupied.
std::vector<std::uint32_t> runs_of(const wire::Grid& grid) {
    const auto kind = [&](std::size_t i) { return grid.cells[i] < 0 ? 0U : grid.cells[i] < 50 ? 1U : 2U; };
    std::vector<std::uint32_t> runs;
    for (std::size_t i = 0; i < grid.cells.size();) {
        std::size_t end = i + 1;
        while (end < grid.cells.size() && kind(end) == kind(i)) ++end;
        runs.push_back(kind(i));
        runs.push_back(static_cast<std::uint32_t>(end - i));
        i = end;
    }
    return runs;
}

}  // namespace

double unix_time(Instant at, const Clock& clock) {
    return clock.unix_seconds() - to_seconds(clock.now() - at);
}

data::Status status_of(const RobotSession& session, std::span<const std::string> groups, const Clock& clock) {
    data::Status status{.mode = session.mode(),
                        .why = session.why(),
                        .since = unix_time(session.since(), clock),
                        .groups = {groups.begin(), groups.end()},
                        .role = session.role(),
                        .driver = session.driver(),
                        .presence = session.presence(),
                        .stale = session.stale(),
                        .stale_after = to_seconds(session.stale_after())};
    if (session.address()) status.address = to_string(*session.address());
    if (const link::Telemetry* const telemetry = session.telemetry()) status.robot = *telemetry;
    return status;
}

std::optional<data::Motion> motion_of(const RobotSession& session, const Clock& clock) {
    const link::Telemetry* const telemetry = session.telemetry();
    if (!telemetry) return std::nullopt;
    data::Motion motion;
    static_cast<data::RobotMotion&>(motion) = *telemetry;
    motion.at = unix_time(session.telemetry_at(), clock);
    motion.offset = session.clock_ahead().value_or(0);
    return motion;
}

std::optional<data::Scan> scan_of(const RobotSession& session, const Clock& clock,
                                  const Encoded<wire::Scan>* whole) {
    const link::Telemetry* const telemetry = session.telemetry();
    if (!telemetry) return std::nullopt;
    data::Scan scan{
        .at = unix_time(session.telemetry_at(), clock), .pose = telemetry->pose, .ages = telemetry->ages};
    if (!whole) {
        scan.ranges = telemetry->ranges;
        return scan;
    }
    const wire::Scan& rays = whole->content;
    scan.at = our_time(session, rays.time);
    scan.pose = rays.pose.value_or(telemetry->pose);
    scan.encoding = whole->encoding;
    scan.bytes_per_second = whole->bytes_per_second;
    for (std::size_t i = 0; i < rays.ranges.size(); ++i)
        if (std::isfinite(rays.ranges[i])) {
            const double bearing = wrapped_angle(rays.first_angle + static_cast<double>(i) * rays.angle_step);
            scan.ranges.push_back({static_cast<float>(bearing), rays.ranges[i]});
        }
    return scan;
}

data::RoomMap map_of(const RobotSession& session, const Encoded<wire::Grid>& map, const ShownText* places) {
    const wire::Grid& grid = map.content;
    data::RoomMap shown;
    static_cast<data::Places&>(shown) = places_in(places);
    shown.at = our_time(session, grid.time);
    shown.width = grid.columns;
    shown.height = grid.rows;
    shown.resolution = grid.cell;
    shown.origin = {grid.x, grid.y};
    shown.runs = runs_of(grid);
    shown.encoding = map.encoding;
    shown.bytes_per_second = map.bytes_per_second;
    return shown;
}

std::string view_json(const RobotSession& session, const ShownText& text) {
    JsonWriter to;
    to.begin_object();
    to.key("at");
    to.number(our_time(session, text.at), 3);
    to.raw_members(text.json);
    to.end_object();
    return std::move(to).take();
}

data::Outcome outcome_of(const link::Answer& answer) {
    return {.kind = answer.kind, .final = answer.is_final(), .refusal = answer.refusal, .text = answer.text};
}

}  // namespace caribou::station
