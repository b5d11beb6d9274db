#include "robot/power_table.hpp"

namespace caribou::robot {
namespace {

constexpr std::array<std::string_view, subsystem_count> names{
    "motors", "ai", "cubes", "sensors", "telemetry", "transmission", "receiver"};

constexpr bool on = true;
constexpr bool off = false;
constexpr bool table[5][subsystem_count] = {
    {off, off, off, off, on, on, on},   {off, off, off, on, on, on, on},  {off, off, off, on, on, on, on},
    {off, off, off, off, off, off, on}, {off, off, off, off, on, on, on},
};

}  // namespace

std::string_view to_string(Subsystem subsystem) { return names.at(static_cast<std::size_t>(subsystem)); }

bool is_powered(link::WaitReason reason, Subsystem subsystem) {
    return table[static_cast<std::size_t>(reason)][static_cast<std::size_t>(subsystem)];
}

bool is_powered(link::RunMode mode, link::WaitReason reason, Subsystem subsystem) {
    switch (mode) {
        case link::RunMode::rm1: return is_powered(reason, subsystem);
        case link::RunMode::rm2: return true;
        case link::RunMode::rm3: return subsystem != Subsystem::ai;
        default: return false;
    }
}

}  // namespace caribou::robot
