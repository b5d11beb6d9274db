#include "robot/view_picture.hpp"

#include <fmt/format.h>

#include "base/geometry.hpp"
#include "data/places.hpp"
#include "data/plan.hpp"
#include "map/zone_data.hpp"

namespace caribou::robot {

ViewPicture scan_picture(const TelemetryRound& round, const motion::BodyPlan& plan, double zero) {
    for (const SensorSample& sample : round.samples) {
        const auto* const seen = std::get_if<std::shared_ptr<const motion::LidarScan>>(&sample.reading);
        if (!seen || !*seen) continue;
        const motion::SensorPlan& lidar = plan.sensors[sample.sensor];
        const motion::LidarScan& scan = **seen;
        const std::size_t beams = std::min(scan.ranges.size(), wire::Scan::max_beams);
        return ScanPicture{
            *seen,
            {.time = zero + to_seconds(sample.heard_at.value_or(round.at).time_since_epoch()),
             .first_angle = static_cast<float>(scan.first_angle + lidar.pose.heading),
             .angle_step = static_cast<float>(scan.angle_step),
             .reach = static_cast<float>(lidar.reach),
             .ranges = {scan.ranges.begin(), scan.ranges.begin() + static_cast<std::ptrdiff_t>(beams)},
             .pose = composed(round.summary.odom_in_map, sample.from)}};
    }
    return {};
}

ViewPicture map_picture(const Navigator& navigator, double unix_time) {
    const map::OccupancyGrid& known = navigator.grid();
    const map::GridFrame& frame = known.frame();
    if (frame.size() > wire::Grid::max_cells) return {};
    MapPicture picture{known.version(),
                       {.time = unix_time,
                        .x = frame.low.x,
                        .y = frame.low.y,
                        .cell = static_cast<float>(frame.cell),
                        .columns = static_cast<std::uint32_t>(frame.columns),
                        .rows = static_cast<std::uint32_t>(frame.rows)}};
    picture.grid.cells.reserve(frame.size());
    for (std::size_t i = 0; i < frame.size(); ++i) switch (known.at(i)) {
            case map::Occupancy::unknown: picture.grid.cells.push_back(-1); break;
            case map::Occupancy::free: picture.grid.cells.push_back(0); break;
            case map::Occupancy::occupied: picture.grid.cells.push_back(100); break;
        }
    return picture;
}

std::string places_json(const Navigator& navigator) {
    data::Places places{.dock = navigator.dock()};
    for (const map::Place& place : navigator.places())
        places.places.push_back({place.name, place.pose.x, place.pose.y, place.pose.heading});
    places.zones = map::zones_data(*navigator.zones());
    for (std::size_t i = 0; i < navigator.cubes().size(); ++i) {
        const auto& cube = navigator.cubes()[i];
        places.cubes.push_back(
            {.id = fmt::format("cube {}", i + 1), .name = cube.name, .x = cube.at.x, .y = cube.at.y});
    }
    return to_json(places);
}

std::string plan_json(std::string_view doing, const std::optional<Navigator::Course>& course) {
    data::Plan plan{.doing = std::string(doing)};
    if (course) {
        plan.goal = data::Goal{course->goal.x, course->goal.y};
        plan.path = course->path;
    }
    return to_json(plan);
}

}  // namespace caribou::robot
