#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace caribou::link {

/// The goodbye of a robot that goes to RM0 begins with this; the reason follows.
inline constexpr std::string_view off_prefix = "RM0: ";

inline std::string off_goodbye(std::string_view why) { return std::string(off_prefix).append(why); }

/// Returns the reason in the goodbye of a robot that goes to RM0; nullopt if it ends for another reason.
inline std::optional<std::string> off_reason_in(std::string_view goodbye) {
    if (!goodbye.starts_with(off_prefix)) return std::nullopt;
    return std::string(goodbye.substr(off_prefix.size()));
}

/// Returns the reason in a robot's report that it goes to RM0, such as `RM2 -> RM0: sensor_dead`; nullopt if
/// it reports something else.
inline std::optional<std::string> off_reason_in_report(std::string_view report) {
    constexpr std::string_view arrow = " -> ";
    const std::size_t at = report.find(arrow);
    return at == std::string_view::npos ? std::nullopt : off_reason_in(report.substr(at + arrow.size()));
}

}  // namespace caribou::link
