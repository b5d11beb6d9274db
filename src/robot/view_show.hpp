#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "data/robot_topic.hpp"
#include "loop/loop.hpp"
#include "negotiation/transport.hpp"
#include "robot/ros_frames.hpp"
#include "robot/view_picture.hpp"

namespace caribou::robot {

/// One view on its topic.
class ViewShow {
public:
    virtual ~ViewShow() = default;
    virtual Result<void> start() = 0;
    /// Returns whether it has a reader.
    virtual bool wanted() const = 0;
    /// Returns the encodings of the camera that have a reader.
    virtual views::CameraEncodings camera() const { return {}; }
    /// Publishes it, unless it is unchanged.
    virtual void take(const ViewPicture& picture) = 0;
    /// Returns the report of its negotiation; nullopt if it is not negotiated.
    virtual std::optional<data::RobotTopic> report() const { return std::nullopt; }
};

/// The place of a view. Loop and transport must outlive it.
struct ShowPlace {
    Loop& loop;
    negotiation::Transport& transport;
    std::string topic;
    std::function<void()> on_reader;  ///< called for each new reader
    RosFrames::Options frames{};      ///< of ordinary ROS 2 messages
};

/// Publishes JSON as `std_msgs/msg/String`.
std::unique_ptr<ViewShow> make_text_show(ShowPlace place);
/// Publishes in the negotiated encodings of views/encodings.hpp, and as in ros_encodings.hpp.
std::unique_ptr<ViewShow> make_scan_show(ShowPlace place);
std::unique_ptr<ViewShow> make_map_show(ShowPlace place);
std::unique_ptr<ViewShow> make_camera_show(ShowPlace place);

}  // namespace caribou::robot
