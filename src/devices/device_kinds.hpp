#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/log.hpp"
#include "devices/base.hpp"
#include "devices/device_port.hpp"
#include "devices/lidar.hpp"

namespace caribou::devices {

/// The names of the bases and lidars that have a driver.
std::vector<std::string_view> base_kinds();
std::vector<std::string_view> lidar_kinds();

/// Returns a base of that kind, and null if there is none. `plan` is that of a board, which does not know
/// what it is built into. The port and the log outlive it.
std::unique_ptr<Base> make_base(std::string_view kind, const motion::BodyPlan& plan, DevicePort& port,
                                Log& log);
/// Returns a lidar of that kind, and null if there is none. All of the others outlive it.
std::unique_ptr<Lidar> make_lidar(std::string_view kind, DevicePort& port, PointSink& sink, Log& log);

}  // namespace caribou::devices
