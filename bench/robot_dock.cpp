#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include "give_up.hpp"
#include "robot/default_tree.hpp"
#include "robot/life_rig.hpp"
#include "robot_figures.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

constexpr int rooms = 500;
constexpr double farthest = 0.02;                            // m
constexpr double most_slanted = 3 * std::numbers::pi / 180;  // rad

}  // namespace

void dock_ok(const Report& report, const Effort& effort) {
    const int count = std::min(rooms, effort.count);
    int good = 0;
    double off = 0;
    double slant = 0;
    for (int room = 0; room < count; ++room) {
        robot::LifeRig rig(world::random_room(static_cast<std::uint64_t>(room)),
                           std::string(robot::default_tree()));
        const auto docked = robot::dock(rig, 40s, 5min);
        const bool is_good = docked && docked->on_contacts && docked->off <= farthest &&
                             docked->slant <= most_slanted && rig.audit().findings().empty();
        good += is_good ? 1 : 0;
        if (docked) {
            off = std::max(off, docked->off);
            slant = std::max(slant, docked->slant);
        }
        if (!is_good)
            report.progress(docked ? fmt::format("room {}: {:.1f} cm off, slanted by {:.1f} degrees", room,
                                                 docked->off * 100, docked->slant * 180 / std::numbers::pi)
                                   : fmt::format("room {}: not docked", room));
    }
    report.add({"dock_ok", static_cast<double>(good), "rooms", static_cast<double>(count)});
    report.add({"dock_off_worst_cm", off * 100, "cm"});
    report.add({"dock_slant_worst_deg", slant * 180 / std::numbers::pi, "deg"});
    if (good < count) give_up(fmt::format("dock_ok: expected {} good rooms; found {}", count, good));
}

}  // namespace caribou::bench
