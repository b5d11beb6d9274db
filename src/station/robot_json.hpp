#pragma once

#include <span>
#include <string>

#include "loop/clock.hpp"
#include "station/robot_session.hpp"
#include "station/view_source.hpp"

/// The state of a robot as JSON (docs/formats/station-api.md).
namespace caribou::station {

/// Returns UNIX seconds by the station's clock, as used in JSON.
double unix_time(Instant at, const Clock& clock);

std::string status_json(const RobotSession& session, std::span<const std::string> groups, const Clock& clock);
/// Empty: there is no telemetry.
std::string motion_json(const RobotSession& session, const Clock& clock);
/// The ranges of telemetry; if the whole scan is watched, that.
std::string scan_json(const RobotSession& session, const Clock& clock, const Encoded<wire::Scan>* whole);
/// `places` may be null.
std::string map_json(const RobotSession& session, const Encoded<wire::Grid>& map, const ShownText* places);
/// What a robot shows as JSON, with the time.
std::string view_json(const RobotSession& session, const ShownText& text);

/// `{"kind":"REFUSED","final":true,"refusal":"WRONG_MODE","text":"..."}` without its braces.
std::string answer_fields(const link::Answer& answer);

}  // namespace caribou::station
