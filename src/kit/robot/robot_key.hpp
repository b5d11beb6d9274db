#pragma once

#include <string>

#include "adapters/keys/key_folder.hpp"
#include "loop/network.hpp"
#include "platform/event_loop.hpp"

namespace caribou::app {

/// Returns the key that reaches the robot at this address: that of `name`, or, if `name` is empty, the only
/// one in the folder. If there are several, it connects to a robot on this machine with one after the other,
/// and returns the first that the robot accepts.
Result<link::PairedKey> key_for(const Address& robot, const KeyFolder& folder, const std::string& name,
                                EventLoop& loop, Network& plain, Log& log);

}  // namespace caribou::app
