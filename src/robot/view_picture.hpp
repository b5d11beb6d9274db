#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "robot/navigator.hpp"
#include "views/view.hpp"
#include "wire/grid.hpp"
#include "wire/scan.hpp"

namespace caribou::robot {

struct ScanPicture {
    std::shared_ptr<const motion::LidarScan> of{};  ///< another one: it is new
    wire::Scan scan{};
};
struct MapPicture {
    std::uint64_t version = 0;
    wire::Grid grid{};
};
/// What a view shows at one moment: JSON, a scan or a map. Nothing: the robot does not have it.
using ViewPicture = std::variant<std::monostate, std::string, ScanPicture, MapPicture>;

using TellView = std::function<void(ViewPicture)>;
/// Asks for a view, wherever what it shows lives; told there, at once or later.
using AskView = std::function<void(views::View, TellView)>;

/// The latest scan of a round's first lidar. `zero`: the UNIX time at which instants begin.
ViewPicture scan_picture(const TelemetryRound& round, const motion::BodyPlan& plan, double zero);
ViewPicture map_picture(const Navigator& navigator, double unix_time);
/// `{"dock":{"x":1,"y":2,"heading":0},"cubes":[]}`
std::string places_json(const Navigator& navigator);

}  // namespace caribou::robot
