#pragma once

#include <string>
#include <vector>

#include "msg/message_types.hpp"

namespace caribou::app {

/// Returns a function that reads descriptions of messages from FOLDER/PACKAGE/msg/NAME.msg, as in the folder
/// `share` of ROS 2. The first folder that has a file wins.
msg::MessageTypes::FindFile open_message_folders(std::vector<std::string> folders);

}  // namespace caribou::app
