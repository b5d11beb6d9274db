#include "robot/robot_buffers.hpp"

namespace caribou::robot {

std::string_view to_string(ThreadName name) {
    constexpr std::array<std::string_view, thread_count> names{"main",     "telemetry", "transmission",
                                                               "receiver", "ai",        "propulsion"};
    return names.at(static_cast<std::size_t>(name));
}

std::vector<Held> RobotBuffers::held() const {
    return {{"errors to send", error_buffer.copy().size(), most_errors},
            {"commands for transmission", transmission_cmd.copy().size(), most_transmission_commands},
            {"commands and notices for main", main_cmd ? main_cmd->size() : 0, most_commands + most_notes}};
}

}  // namespace caribou::robot
