#include "station/robot_json.hpp"

#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "base/geometry.hpp"
#include "base/json_text.hpp"

namespace caribou::station {
namespace {

std::string texts_json(std::span<const std::string> texts) {
    std::string list;
    for (const std::string& text : texts) list += (list.empty() ? "" : ",") + json_quoted(text);
    return "[" + list + "]";
}

std::string wheel_json(const link::Telemetry::Wheel& wheel) {
    return fmt::format(R"({{"level":{},"speed":{}}})", wheel.level, json_fixed(wheel.speed, 3));
}

/// A robot's time, by our clock.
double our_time(const RobotSession& session, double robots) {
    return robots - session.offset().seconds().value_or(0);
}

std::string pose_json(const Pose& pose) {
    return fmt::format(R"({{"x":{},"y":{},"heading":{}}})", json_fixed(pose.x, 3), json_fixed(pose.y, 3),
                       json_fixed(pose.heading, 4));
}

template <class Content>
std::string encoding_fields(const Encoded<Content>& it) {
    return fmt::format(R"(,"encoding":{},"bytes_per_second":{:.0f})", json_quoted(it.encoding),
                       it.bytes_per_second);
}

}  // namespace

double unix_time(Instant at, const Clock& clock) {
    return clock.unix_seconds() - to_seconds(clock.now() - at);
}

std::string status_json(const RobotSession& session, std::span<const std::string> groups,
                        const Clock& clock) {
    std::string json = fmt::format(
        R"({{"mode":"{}","why":{},"since":{},"groups":{},"address":{},"role":"{}","driver":{},"stale":{},"stale_after":{})",
        to_string(session.mode()), json_quoted(session.why()),
        json_fixed(unix_time(session.since(), clock), 1), texts_json(groups),
        session.address() ? json_quoted(to_string(*session.address())) : "null", to_string(session.role()),
        json_quoted(session.driver()), session.stale(), json_fixed(to_seconds(session.stale_after()), 1));
    if (const link::Telemetry* t = session.telemetry()) {
        const auto& battery = t->battery;
        fmt::format_to(
            std::back_inserter(json),
            R"(,"run_mode":"{}","waits_for":{},"com_mode":"{}","stopped":{},"behavior":{},"faults":{})"
            R"(,"battery":{{"level":{},"volts":{},"amperes":{},"on_charger":{}}})",
            to_string(t->run_mode), t->waits_for ? json_quoted(to_string(*t->waits_for)) : "null",
            to_string(t->com_mode), t->stopped, json_quoted(t->behavior), texts_json(t->faults),
            json_fixed(battery.level, 2), json_fixed(battery.volts, 1), json_fixed(battery.amperes, 1),
            battery.on_charger);
    }
    return json + "}";
}

std::string motion_json(const RobotSession& session, const Clock& clock) {
    const link::Telemetry* const t = session.telemetry();
    if (!t) return {};
    return fmt::format(
        R"({{"at":{},"number":{},"pose":{},"odom_in_map":{},"state":{},"movement":{},"class":"{}",)"
        R"("right":{},"left":{},"winner":{},"reason":{},"offset":{}}})",
        json_fixed(unix_time(session.telemetry_at(), clock), 3), t->number, pose_json(t->pose),
        pose_json(t->odom_in_map), static_cast<int>(t->movement_state),
        json_quoted(to_string(t->movement_state)),
        t->reason == link::motion_unknown ? "unknown" : to_string(t->movement_class), wheel_json(t->right),
        wheel_json(t->left), json_quoted(t->winner), json_quoted(t->reason),
        json_fixed(session.offset().seconds().value_or(0), 3));
}

std::string scan_json(const RobotSession& session, const Clock& clock, const Encoded<wire::Scan>* whole) {
    const link::Telemetry* const t = session.telemetry();
    if (!t) return {};
    std::string ranges;
    const auto add = [&](double bearing, double distance) {
        fmt::format_to(std::back_inserter(ranges), "{}[{},{}]", ranges.empty() ? "" : ",",
                       json_fixed(bearing, 3), json_fixed(distance, 3));
    };
    if (whole) {
        const wire::Scan& scan = whole->content;
        for (std::size_t i = 0; i < scan.ranges.size(); ++i)
            if (std::isfinite(scan.ranges[i]))
                add(wrapped_angle(scan.first_angle + static_cast<double>(i) * scan.angle_step),
                    scan.ranges[i]);
    } else {
        for (const auto& [bearing, distance] : t->ranges) add(bearing, distance);
    }
    std::string ages;
    for (const auto& [sensor, seconds] : t->ages)
        fmt::format_to(std::back_inserter(ages), "{}{}:{}", ages.empty() ? "" : ",", json_quoted(sensor),
                       json_fixed(seconds, 2));
    const double at =
        whole ? our_time(session, whole->content.time) : unix_time(session.telemetry_at(), clock);
    const Pose from = whole ? whole->content.pose.value_or(t->pose) : t->pose;
    return fmt::format(R"({{"at":{},"pose":{},"ranges":[{}],"ages":{{{}}}{}}})", json_fixed(at, 3),
                       pose_json(from), ranges, ages, whole ? encoding_fields(*whole) : "");
}

std::string map_json(const RobotSession& session, const Encoded<wire::Grid>& map, const ShownText* places) {
    const wire::Grid& grid = map.content;
    std::string runs;
    for (std::size_t i = 0; i < grid.cells.size();) {
        const auto kind = [](std::int8_t cell) { return cell < 0 ? 0 : cell < 50 ? 1 : 2; };
        std::size_t end = i + 1;
        while (end < grid.cells.size() && kind(grid.cells[end]) == kind(grid.cells[i])) ++end;
        fmt::format_to(std::back_inserter(runs), "{}{},{}", runs.empty() ? "" : ",", kind(grid.cells[i]),
                       end - i);
        i = end;
    }
    std::string rest = places ? places->json : R"({"dock":null,"cubes":[]})";
    rest = rest.size() > 2 ? "," + rest.substr(1) : "}";
    return fmt::format(
        R"({{"at":{},"width":{},"height":{},"resolution":{},"origin":{{"x":{},"y":{}}},"runs":[{}]{}{})",
        json_fixed(our_time(session, grid.time), 3), grid.columns, grid.rows, json_fixed(grid.cell, 3),
        json_fixed(grid.x, 3), json_fixed(grid.y, 3), runs, encoding_fields(map), rest);
}

std::string view_json(const RobotSession& session, const ShownText& text) {
    return fmt::format(R"({{"at":{}{}{})", json_fixed(our_time(session, text.at), 3),
                       text.json.size() > 2 ? "," : "", text.json.substr(1));
}

std::string answer_fields(const link::Answer& answer) {
    using Kind = link::Answer::Kind;
    const std::string_view kind = answer.kind == Kind::done       ? "DONE"
                                  : answer.kind == Kind::accepted ? "ACCEPTED"
                                                                  : "REFUSED";
    return fmt::format(R"("kind":"{}","final":{},"refusal":{},"text":{})", kind, answer.is_final(),
                       answer.refusal ? json_quoted(to_string(*answer.refusal)) : "null",
                       json_quoted(answer.text));
}

}  // namespace caribou::station
