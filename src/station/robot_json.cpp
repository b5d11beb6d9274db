#include "station/robot_json.hpp"

#include <cmath>

#include "base/base64.hpp"
#include "base/geometry.hpp"
#include "base/json_writer.hpp"
#include "data/places.hpp"

namespace caribou::station {
namespace {

/// Converts a robot's time to our clock.
double our_time(const RobotSession& session, double robots) {
    return robots - session.clock_ahead().value_or(0);
}

}  // namespace

std::vector<std::uint32_t> runs_of(std::span<const std::int8_t> cells) {
    const auto kind = [&](std::size_t i) { return cells[i] < 0 ? 0U : cells[i] < 50 ? 1U : 2U; };
    std::vector<std::uint32_t> runs;
    for (std::size_t i = 0; i < cells.size();) {
        std::size_t end = i + 1;
        while (end < cells.size() && kind(end) == kind(i)) ++end;
        runs.push_back(kind(i));
        runs.push_back(static_cast<std::uint32_t>(end - i));
        i = end;
    }
    return runs;
}

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
    if (session.heard_at() && (!session.telemetry() || session.stale()))
        status.heard = unix_time(*session.heard_at(), clock);
    if (const auto stop = session.acknowledged_stop()) {
        status.acknowledged_stop = stop->value;
        status.acknowledged_stop_at = unix_time(stop->at, clock);
    }
    if (const auto mode = session.acknowledged_mode()) {
        status.acknowledged_mode = mode->value.mode;
        status.acknowledged_waits_for = mode->value.waits_for;
        status.acknowledged_mode_at = unix_time(mode->at, clock);
    }
    if (const auto* const stop = session.unconfirmed_stop())
        status.stop_pending =
            data::PendingStop{.since = unix_time(stop->since, clock), .by = stop->by, .why = stop->why};
    if (status.presence == data::Presence::off) status.off_reason = session.off_reason().value_or("");
    status.life = session.life();
    status.robot = session.reported();
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
    static_cast<data::Places&>(shown) = read_shown<data::Places>(places);
    shown.at = our_time(session, grid.time);
    shown.width = grid.columns;
    shown.height = grid.rows;
    shown.resolution = grid.cell;
    shown.origin = {grid.x, grid.y};
    shown.runs = runs_of(grid.cells);
    shown.encoding = map.encoding;
    shown.bytes_per_second = map.bytes_per_second;
    return shown;
}

data::CameraImage camera_of(const RobotSession& session, const Encoded<wire::CameraImage>& image) {
    data::CameraImage shown{.at = our_time(session, image.content.time),
                            .encoding = image.encoding,
                            .bytes_per_second = image.bytes_per_second,
                            .images_per_second = image.messages_per_second};
    if (image.content.jpeg.empty())
        shown.problem = image.content.problem;
    else
        shown.jpeg = base64(image.content.jpeg);
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
