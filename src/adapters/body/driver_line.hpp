#pragma once

#include <memory>
#include <string>
#include <utility>

#include "driver/line.hpp"
#include "platform/descriptor.hpp"

namespace caribou {

/// The environment variable with the number of a driver's descriptor, one end of a stream socket pair.
inline constexpr const char* driver_variable = "CARIBOU_DRIVER_FD";

/// Returns the robot's end of a connection to a driver over a connected stream socket, and owns it.
std::unique_ptr<driver::DriverLine> driver_line(Descriptor socket);

/// Returns a connected pair of stream sockets, closed in children that are started: the robot's end, and the
/// driver's.
Result<std::pair<Descriptor, Descriptor>> driver_sockets();

/// Returns the descriptor that `driver_variable` names, for a driver. Fails if this process was not started
/// as one.
Result<Descriptor> inherited_driver_socket();

/// Passes the bytes of a robot to `caribou world serve` at `path` and back, for the robot `name` of that
/// world, until either of them closes its end. Returns an error if the world cannot be reached, ends the
/// connection, or one of them does not read.
Result<void> relay_to_world(Descriptor robot, const std::string& path, const std::string& name);

}  // namespace caribou
