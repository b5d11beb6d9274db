#include <ctime>

#include <fmt/format.h>

#include "robot/default_tree.hpp"
#include "robot/life_rig.hpp"
#include "robot_figures.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t rooms = 100;
constexpr Duration life = 10min;

/// A battery that does not last for a life, so that every robot has to dock.
robot::LifeOptions small_battery() {
    robot::LifeOptions options;
    options.model.battery.capacity = 4000;
    return options;
}

/// Whether the robot of this room saw what it could, met nothing hard and docked before it was empty.
bool lives_well(std::uint64_t seed, const Report& report) {
    robot::LifeRig rig(world::random_room(seed), std::string(robot::default_tree()), small_battery());
    bool docked = false;
    bool away = false;
    double lowest = 1;
    while (rig.now() < Instant(life)) {
        rig.live(1s);
        const world::Power power = rig.world().power(0);
        lowest = std::min(lowest, power.level);
        docked |= away && power.on_contacts;
        away |= !power.on_contacts;
    }
    const world::Record& record = rig.world().record(0);
    const double share = rig.explored_share();
    const bool good = share >= 0.95 && record.hardest_contact <= robot::MotionSettings{}.creep_speed &&
                      record.falls == 0 && docked && lowest > 0 && rig.audit().findings().empty();
    if (!good)
        report.progress(
            fmt::format("room {}: {:.1f} % seen, hardest contact {:.3f} m/s, {}, lowest level {:.0f} %", seed,
                        share * 100, record.hardest_contact, docked ? "docked" : "not docked", lowest * 100));
    return good;
}

}  // namespace

void explore_ok(const Report& report, const Effort&) {
    double good = 0;
    const std::clock_t begin = std::clock();
    for (std::uint64_t seed = 0; seed < rooms; ++seed) good += lives_well(seed, report) ? 1 : 0;
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    report.add({"explore_ok", good, "rooms", static_cast<double>(rooms)});
    report.add({"explore_speedup", to_seconds(life) * static_cast<double>(rooms) / seconds, "x"});
}

}  // namespace caribou::bench
