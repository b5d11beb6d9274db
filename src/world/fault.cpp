#include "world/fault.hpp"

#include <array>
#include <utility>

#include "base/check.hpp"

namespace caribou::world {
namespace {

constexpr std::array<std::pair<FaultKind, std::string_view>, 7> names{{
    {FaultKind::dead_sensor, "dead_sensor"},
    {FaultKind::stuck_motor, "stuck_motor"},
    {FaultKind::blocked_wheel, "blocked_wheel"},
    {FaultKind::lying_encoder, "lying_encoder"},
    {FaultKind::low_battery, "low_battery"},
    {FaultKind::removed_charger, "removed_charger"},
    {FaultKind::picked_up, "picked_up"},
}};

}  // namespace

std::string_view to_string(FaultKind kind) {
    for (const auto& [each, name] : names)
        if (each == kind) return name;
    broken("every kind of fault has a name", std::source_location::current());
}

std::optional<FaultKind> fault_kind(std::string_view name) {
    for (const auto& [kind, each] : names)
        if (each == name) return kind;
    return std::nullopt;
}

std::vector<std::string> fault_kinds() {
    std::vector<std::string> all;
    for (const auto& [kind, name] : names) all.emplace_back(name);
    return all;
}

std::string_view about(FaultKind kind) {
    switch (kind) {
        case FaultKind::dead_sensor: return "gives no readings";
        case FaultKind::stuck_motor: return "keeps its speed, whatever is ordered";
        case FaultKind::blocked_wheel: return "does not turn, though its motor pulls";
        case FaultKind::lying_encoder: return "counts half of what is true";
        case FaultKind::low_battery: return "is down to a tenth, at once";
        case FaultKind::removed_charger: return "the charger has been taken away";
        case FaultKind::picked_up: return "the robot is held";
    }
    return {};
}

std::vector<std::string> subjects_of(FaultKind kind, const std::vector<std::string>& range_names) {
    switch (kind) {
        case FaultKind::stuck_motor:
        case FaultKind::blocked_wheel:
        case FaultKind::lying_encoder: return {"left", "right"};
        case FaultKind::dead_sensor: {
            std::vector<std::string> sensors{"lidar", "imu", "bumpers", "cliffs", "encoders"};
            for (const std::string& name : range_names) sensors.push_back("range." + name);
            return sensors;
        }
        case FaultKind::low_battery:
        case FaultKind::removed_charger:
        case FaultKind::picked_up: return {};
    }
    return {};
}

}  // namespace caribou::world
