#pragma once

#include <cstdint>
#include <string_view>

#include "msg/sensor_msgs/compressed_image.hpp"
#include "robot/ros_messages.hpp"
#include "robot/view_picture.hpp"

/// Scan, map and camera as ordinary ROS 2 messages, among the encodings in which views are negotiated.
namespace caribou::robot {

struct RosScan {
    using MsgT = msg::sensor_msgs::LaserScan;
    static constexpr std::string_view supported_type_name = "ros";
    static MsgT of(const ScanPicture& picture, const RosFrames::Options& frames) {
        return ros_scan(picture.scan.time, frames, picture.of ? *picture.of : motion::LidarScan{},
                        {.reach = static_cast<double>(picture.scan.reach)}, {});
    }
};

struct RosGrid {
    using MsgT = msg::nav_msgs::OccupancyGrid;
    static constexpr std::string_view supported_type_name = "ros";
    static MsgT of(const MapPicture& picture, const RosFrames::Options& frames) {
        const wire::Grid& grid = picture.grid;
        MsgT message;
        message.header.stamp = ros_time(grid.time);
        message.header.frame_id = frames.map;
        message.info.map_load_time = message.header.stamp;
        message.info.resolution = grid.cell;
        message.info.width = grid.columns;
        message.info.height = grid.rows;
        message.info.origin.position = {.x = grid.x, .y = grid.y, .z = 0};
        message.info.origin.orientation.w = 1;
        message.data = grid.cells;
        return message;
    }
};

/// The image of the camera in full size.
struct RosCamera {
    using MsgT = msg::sensor_msgs::CompressedImage;
    static constexpr std::string_view supported_type_name = "ros";
    static MsgT of(const wire::CameraImage& image, const RosFrames::Options& frames) {
        MsgT message;
        message.header.stamp = ros_time(image.time);
        message.header.frame_id = frames.of_sensor("camera");
        message.format = "jpeg";
        const auto* const data = reinterpret_cast<const std::uint8_t*>(image.jpeg.data());
        message.data.assign(data, data + image.jpeg.size());
        return message;
    }
};

}  // namespace caribou::robot
