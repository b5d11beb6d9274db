#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "robot/navigator.hpp"
#include "views/encodings.hpp"
#include "views/grid.hpp"
#include "views/view.hpp"
#include "wire/camera_image.hpp"
#include "wire/scan.hpp"

namespace caribou::robot {

struct ScanPicture {
    std::shared_ptr<const motion::LidarScan> of{};  ///< a different object means a new scan
    wire::Scan scan{};
};
struct MapPicture {
    std::uint64_t version = 0;
    wire::Grid grid{};
};
/// An image of the camera in the encodings that were requested; the others are null.
struct CameraPicture {
    std::uint64_t number = 0;  ///< another number means another image
    std::array<std::shared_ptr<const wire::CameraImage>, views::camera_encoding_count> images{};
};
/// The contents of a view: JSON, a scan, a map or an image; monostate if the robot does not have it.
using ViewPicture = std::variant<std::monostate, std::string, ScanPicture, MapPicture, CameraPicture>;

/// A view that is requested; for the camera, in which encodings.
struct ViewRequest {
    views::View view{};
    views::CameraEncodings camera{};
};

using TellView = std::function<void(ViewPicture)>;
/// Requests a view on the strand of its data; answered there, at once or later.
using AskView = std::function<void(const ViewRequest&, TellView)>;

/// Returns the latest scan of a round's first lidar. `zero` is the UNIX time of the epoch of Instant.
ViewPicture scan_picture(const TelemetryRound& round, const motion::BodyPlan& plan, double zero);
ViewPicture map_picture(const Navigator& navigator, double unix_time);
/// Returns `{"dock":{"x":1,"y":2,"heading":0},"cubes":[]}`.
std::string places_json(const Navigator& navigator);
/// `{"doing":"Exploring: …","goal":{"x":1,"y":2},"path":[[0.5,1],[1,2]]}`; the goal is null without a course.
std::string plan_json(std::string_view doing, const std::optional<Navigator::Course>& course);

}  // namespace caribou::robot
