#include <algorithm>
#include <ctime>

#include <fmt/format.h>

#include "give_up.hpp"
#include "robot/default_tree.hpp"
#include "robot/life_rig.hpp"
#include "robot/stand_watch.hpp"
#include "robot_figures.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t most_rooms = 500;
constexpr Duration life = 10min;
/// Limits of a good life, of all rooms.
constexpr Duration longest_stuck = 20s;
constexpr Duration longest_stood = 90s;

/// A battery that is too small for a run, so that every robot must dock.
robot::LifeOptions small_battery() {
    robot::LifeOptions options;
    options.model.battery.capacity = 4000;
    return options;
}

struct RoomResult {
    bool good = false;
    robot::StandWatch stands;
};

/// Good: the robot saw everything it can reach, had no hard collision, and docked before its battery was
/// empty.
RoomResult live_in(std::uint64_t seed, const Report& report) {
    robot::LifeRig rig(world::random_room(seed), std::string(robot::default_tree()), small_battery());
    RoomResult result;
    bool docked = false;
    bool away = false;
    double lowest = 1;
    while (rig.now() < Instant(life)) {
        rig.live(1s);
        result.stands.look(position(rig.world().pose(0)), rig.top(), rig.now());
        const world::Power power = rig.world().power(0);
        lowest = std::min(lowest, power.level);
        docked |= away && power.on_contacts;
        away |= !power.on_contacts;
    }
    const world::Record& record = rig.world().record(0);
    const double share = rig.explored_share();
    result.good = share >= 0.95 && record.hardest_contact <= motion::MotionSettings{}.creep_speed &&
                  record.falls == 0 && docked && lowest > 0 && rig.audit().findings().empty();
    if (!result.good || result.stands.stuck() > longest_stuck || result.stands.stood() > longest_stood)
        report.progress(fmt::format(
            "room {}: {:.1f} % seen, hardest contact {:.3f} m/s, {}, lowest level {:.0f} %, "
            "stuck for {:.0f} s ({}), stood for {:.0f} s",
            seed, share * 100, record.hardest_contact, docked ? "docked" : "not docked", lowest * 100,
            to_seconds(result.stands.stuck()), result.stands.stuck_in(), to_seconds(result.stands.stood())));
    return result;
}

}  // namespace

void explore_ok(const Report& report, const Effort& effort) {
    const std::uint64_t rooms = std::min(most_rooms, static_cast<std::uint64_t>(effort.count));
    double good = 0;
    Duration stuck{};
    Duration stood{};
    const std::clock_t begin = std::clock();
    for (std::uint64_t seed = 0; seed < rooms; ++seed) {
        const RoomResult result = live_in(seed, report);
        good += result.good ? 1 : 0;
        stuck = std::max(stuck, result.stands.stuck());
        stood = std::max(stood, result.stands.stood());
    }
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    report.add({"explore_ok", good, "rooms", static_cast<double>(rooms)});
    report.add({"stuck_worst_s", to_seconds(stuck), "s"});
    report.add({"stood_worst_s", to_seconds(stood), "s"});
    report.add({"explore_speedup", to_seconds(life) * static_cast<double>(rooms) / seconds, "x"});
    if (good < static_cast<double>(rooms) || stuck > longest_stuck || stood > longest_stood)
        give_up(fmt::format(
            "explore_ok: expected {} good rooms, at most {:.0f} s stuck and {:.0f} s with a reason; "
            "found {:.0f}, {:.0f} s and {:.0f} s",
            rooms, to_seconds(longest_stuck), to_seconds(longest_stood), good, to_seconds(stuck),
            to_seconds(stood)));
}

}  // namespace caribou::bench
