#pragma once

#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "data/telemetry.hpp"
#include "link/com_mode.hpp"
#include "link/run_mode.hpp"
#include "motion/movement.hpp"

namespace caribou::link {

/// `reason` of telemetry whose movement class is unknown, because propulsion does not report.
inline constexpr std::string_view motion_unknown = "motion_unknown";

using data::Telemetry;

/// Appends version 1 of the encoding (docs/formats/link.md), which is frozen. Texts and lists beyond the
/// limits of the description are cut.
void append_telemetry(Bytes& to, const Telemetry& telemetry);
Result<Telemetry> decode_telemetry(ByteView bytes);

/// Returns the level for people, such as `63 %`; `unknown` if the battery has no reading.
std::string level_text(const data::Battery& battery);

}  // namespace caribou::link
