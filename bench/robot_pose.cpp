#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "give_up.hpp"
#include "robot/default_tree.hpp"
#include "robot/life_rig.hpp"
#include "robot_figures.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

constexpr int most_rooms = 50;
constexpr Duration life = 1h;
constexpr double scale_error = 0.05;  ///< of both encoders, to either side
constexpr double most_cm = 10;
constexpr double most_degrees = 5;

/// The errors of a pose on the map, once per second.
struct PoseErrors {
    std::vector<double> cm{};
    std::vector<double> degrees{};

    void add(const Pose& pose, const Pose& truth) {
        cm.push_back(100 * distance(position(pose), position(truth)));
        degrees.push_back(std::abs(wrapped_angle(pose.heading - truth.heading)) * 180 / std::numbers::pi);
    }
    void add(const PoseErrors& more) {
        cm.insert(cm.end(), more.cm.begin(), more.cm.end());
        degrees.insert(degrees.end(), more.degrees.begin(), more.degrees.end());
    }
};

double p95(std::vector<double> of) {
    const auto at = of.begin() + static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(of.size() - 1));
    std::ranges::nth_element(of, at);
    return *at;
}

/// A room whose robot counts too much, or too little, way, and drives for an hour without charging.
PoseErrors live_in(std::uint64_t seed) {
    world::WorldPlan plan = world::random_room(seed);
    for (const char* const wheel : {"left", "right"})
        plan.faults.push_back({.kind = world::FaultKind::lying_encoder,
                               .what = wheel,
                               .value = seed % 2 == 0 ? 1 + scale_error : 1 - scale_error});
    const Pose start = plan.starts.at(0);
    robot::LifeOptions options;
    options.model.battery.capacity = 1e6;
    robot::LifeRig rig(std::move(plan), std::string(robot::default_tree()), options);
    PoseErrors errors;
    while (rig.now() < Instant(life)) {
        rig.live(1s);
        errors.add(rig.navigator().pose(), composed(frame_between({}, start), rig.world().pose(0)));
    }
    return errors;
}

}  // namespace

void pose_error_p95_cm(const Report& report, const Effort& effort) {
    const int rooms = std::min(effort.count, most_rooms);
    PoseErrors all;
    for (int room = 0; room < rooms; ++room) {
        const PoseErrors errors = live_in(static_cast<std::uint64_t>(room));
        report.progress(
            fmt::format("room {}: p95 {:.1f} cm, {:.1f} degrees", room, p95(errors.cm), p95(errors.degrees)));
        all.add(errors);
    }
    const double cm = p95(all.cm);
    const double degrees = p95(all.degrees);
    report.add({"pose_error_p95_cm", cm, "cm"});
    report.add({"pose_error_p95_degrees", degrees, "degrees"});
    if (cm >= most_cm || degrees >= most_degrees)
        give_up(
            fmt::format("pose_error_p95_cm: expected less than {:.0f} cm and {:.0f} degrees, found {:.1f} cm "
                        "and {:.1f} degrees",
                        most_cm, most_degrees, cm, degrees));
}

}  // namespace caribou::bench
